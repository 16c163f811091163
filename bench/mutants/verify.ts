import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asList, asObject } from './kit.ts';
import type { Tokens } from './types.ts';

export interface ShortFinding {
  readonly check: string;
  readonly operation: string;
  readonly form: string;
  readonly severity: string;
  readonly message: string;
  readonly expected: string;
  readonly received: string;
}

/** What one run of the command ended with. */
export interface Verdict {
  /** Exit code; -1 where it had to be ended. */
  readonly code: number;
  readonly milliseconds: number;
  readonly findings: readonly ShortFinding[];
  /** Tests that ended in an error. */
  readonly errors: number;
  readonly exchanges: number;
  /** Last lines of what was printed. */
  readonly tail: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function shortFinding(value: unknown): ShortFinding {
  const found = asObject(value);
  return {
    check: text(found['check']), operation: text(found['operation']), form: text(found['form']), severity: text(found['severity']),
    message: text(found['message']), expected: text(found['expected']), received: text(found['received']),
  };
}

async function summaryOf(folder: string): Promise<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8')) as unknown);
  } catch {
    return {};
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Runs `verify` against a target as its user does, in a process of its own. */
export async function verify(options: { cli: string; baseUrl: string; tokens: Tokens; args?: readonly string[]; limitMs?: number }): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-mutant-'));
  const { full, limited, expired } = options.tokens;
  const args = [resolve(options.cli), 'verify', '--base-url', options.baseUrl, '--token', full, '--limited-token', limited, '--expired-token', expired, '--allow', 'all', '--seed', '1', '--out', folder, ...(options.args ?? [])];
  const started = performance.now();
  let printed = '';
  const code = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
    const timer = setTimeout(() => child.kill('SIGKILL'), options.limitMs ?? 400_000);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed = (printed + chunk.toString()).slice(-4000);
      });
    }
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve(status ?? -1);
    });
  });
  const milliseconds = performance.now() - started;
  const summary = await summaryOf(folder);
  await rm(folder, { recursive: true, force: true });
  const totals = asObject(summary['totals']);
  return {
    code, milliseconds, findings: asList(summary['findings']).map(shortFinding),
    errors: numberOf(totals['errors']), exchanges: numberOf(totals['exchanges']), tail: printed,
  };
}
