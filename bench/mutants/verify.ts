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
  readonly fingerprint: string;
  readonly curl: string;
  readonly replay: string;
  /** Status of the last answer in its steps. */
  readonly status: number;
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
    check: text(found['check']),
    operation: text(found['operation']),
    form: text(found['form']),
    severity: text(found['severity']),
    message: text(found['message']),
    expected: text(found['expected']),
    received: text(found['received']),
    fingerprint: text(found['fingerprint']),
    curl: text(found['curl']),
    replay: text(found['replay']),
    status: numberOf(asObject(asObject(asList(found['steps']).at(-1))['response'])['status']),
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

/** How `verify` is run. */
export interface VerifyOptions {
  readonly cli: string;
  readonly baseUrl: string;
  readonly tokens: Tokens;
  readonly args?: readonly string[];
  readonly limitMs?: number;
}

/** Runs `verify` against a target as its user does, in a process of its own. */
export async function verify(options: VerifyOptions): Promise<Verdict> {
  return watched(options, (folder) => [
    process.execPath,
    [
      resolve(options.cli),
      'verify',
      '--base-url',
      options.baseUrl,
      '--allow',
      'all',
      '--seed',
      '1',
      '--out',
      folder,
      ...(options.args ?? []),
    ],
  ]);
}

/** What came of a finding that was tried again as it says. */
export interface Again {
  /** True where its replay command tells the same finding. */
  readonly replays: boolean;
  /** Exchanges that the replay took. */
  readonly exchanges: number;
  /** True where its curl line ends with the status of its last step. */
  readonly pastes: boolean;
}

/** Runs the replay command of a finding and pastes its curl line into a shell. */
export async function tryAgain(options: VerifyOptions, finding: ShortFinding): Promise<Again> {
  const command = finding.replay.replace(/^assay /, `'${process.execPath}' '${resolve(options.cli)}' `);
  const { findings, exchanges } = await watched(options, (folder) => ['sh', ['-c', `${command} --out '${folder}'`]]);
  const pasted = await watched(options, () => ['sh', ['-c', finding.curl]]);
  const statuses = [...pasted.tail.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  return {
    replays: findings.some(({ fingerprint }) => fingerprint === finding.fingerprint),
    exchanges,
    pastes: (statuses.at(-1) ?? 0) === finding.status,
  };
}

async function watched(
  options: VerifyOptions,
  commandIn: (folder: string) => readonly [string, readonly string[]],
): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-mutant-'));
  const { full, limited, expired } = options.tokens;
  const env = { ...process.env, ASSAY_TOKEN: full, ASSAY_LIMITED_TOKEN: limited, ASSAY_EXPIRED_TOKEN: expired };
  const started = performance.now();
  let printed = '';
  const code = await new Promise<number>((resolve) => {
    const [command, args] = commandIn(folder);
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder, env });
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
    code,
    milliseconds,
    findings: asList(summary['findings']).map(shortFinding),
    errors: numberOf(totals['errors']),
    exchanges: numberOf(totals['exchanges']),
    tail: printed,
  };
}
