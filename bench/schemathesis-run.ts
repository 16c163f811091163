import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMutated } from '../prove/index.ts';
import type { Defect } from '../prove/index.ts';
import { startService } from '../service/start.ts';
import type { Contract } from '../spec/index.ts';

/** A failure that Schemathesis reported, with its operations. */
export interface Failure {
  readonly code: string;
  readonly title: string;
  readonly operations: readonly string[];
}

export interface Report {
  readonly failures: readonly Failure[];
  readonly errors: readonly unknown[];
  readonly test_cases: { readonly generated: number };
}

export interface SchemathesisTarget {
  readonly baseUrl: string;
  readonly token: string;
}

export interface SchemathesisOptions {
  readonly program: string;
  readonly seed: string;
  /** Cases per operation. */
  readonly examples: string;
  readonly minutes: number;
  readonly verbose: boolean;
}

const DESCRIPTION = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));

/** Runs the embedded service with some defects while `use` runs. */
export async function withDefects<T>(
  contract: Contract,
  defects: readonly Defect[],
  use: (target: SchemathesisTarget) => Promise<T>,
): Promise<T> {
  const service = await startService({ faults: defects.flatMap(({ fault }) => fault ?? []) });
  const { baseUrl: upstream, tokens } = service;
  const mutated = await startMutated({ upstream, tokens, contract, defects, port: 0, host: '127.0.0.1' });
  try {
    return await use({ baseUrl: mutated.baseUrl, token: tokens.full });
  } finally {
    await mutated.close();
    await service.close();
  }
}

export const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** A failure, and the number of requests before it. */
export interface TimedFailure {
  readonly code: string;
  readonly operation: string;
  readonly exchanges: number;
}

interface Check {
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly code: string; readonly operation: string } };
}

/** The part of the event log of Schemathesis that is read. */
interface Event {
  readonly ScenarioFinished?: {
    readonly recorder: {
      readonly interactions?: Readonly<Record<string, unknown>>;
      readonly checks?: Readonly<Record<string, readonly Check[]>>;
    };
  };
}

function* timedFailures(log: string): Generator<TimedFailure> {
  let exchanges = 0;
  // The last line may be incomplete, where the time was over.
  for (const line of log.split('\n').slice(0, -1)) {
    const { interactions = {}, checks = {} } = (JSON.parse(line) as Event).ScenarioFinished?.recorder ?? {};
    for (const id of Object.keys(interactions)) {
      exchanges += 1;
      for (const { status, failure_info: info } of checks[id] ?? [])
        if (status === 'failure' && info !== undefined) yield { ...info.failure, exchanges };
    }
  }
}

export async function failuresInOrder(
  target: SchemathesisTarget,
  options: SchemathesisOptions,
): Promise<readonly TimedFailure[]> {
  return (await reportOf('ndjson', target, options, (log) => [...timedFailures(log)])) ?? [];
}

/** Runs Schemathesis in a temporary folder, where it leaves its caches; undefined if it wrote no report. */
export function runSchemathesis(target: SchemathesisTarget, options: SchemathesisOptions): Promise<Report | undefined> {
  return reportOf('json', target, options, (text) => JSON.parse(text) as Report);
}

async function reportOf<T>(
  format: 'json' | 'ndjson',
  { baseUrl, token }: SchemathesisTarget,
  { program, seed, examples, minutes, verbose }: SchemathesisOptions,
  read: (text: string) => T,
): Promise<T | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-schemathesis-'));
  const file = join(folder, 'report');
  const target = ['run', DESCRIPTION, '--origin', baseUrl, '-H', `Authorization: Bearer ${token}`];
  const extent = ['--seed', seed, '--max-examples', examples, '--continue-on-failure', '--generation-database', 'none'];
  const output = ['--no-color', '--output-sanitize', 'false', '--report', format, `--report-${format}-path`, file];
  try {
    const child = spawn(program, [...target, ...extent, ...output], {
      cwd: folder,
      stdio: ['ignore', verbose ? 'inherit' : 'ignore', 'inherit'],
      timeout: minutes * 60_000,
    });
    await new Promise((resolve) => {
      child.once('close', resolve);
    });
    return read(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
