import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What one check of Schemathesis reported, with the operations that it concerns. */
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

export interface SchemathesisOptions {
  readonly program: string;
  readonly seed: string;
  /** Cases per operation. */
  readonly examples: string;
  readonly minutes: number;
  readonly verbose: boolean;
}

const DESCRIPTION = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));

export const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** Tests a service in a folder of its own, where Schemathesis leaves its caches; undefined if it ended without a report. */
export async function runSchemathesis(
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  { program, seed, examples, minutes, verbose }: SchemathesisOptions,
): Promise<Report | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-schemathesis-'));
  const file = join(folder, 'report.json');
  const target = ['run', DESCRIPTION, '--origin', baseUrl, '-H', `Authorization: Bearer ${token}`];
  const extent = ['--seed', seed, '--max-examples', examples, '--continue-on-failure', '--generation-database', 'none'];
  const output = ['--no-color', '--output-sanitize', 'false', '--report', 'json', '--report-json-path', file];
  try {
    const child = spawn(program, [...target, ...extent, ...output], {
      cwd: folder,
      stdio: ['ignore', verbose ? 'inherit' : 'ignore', 'inherit'],
      timeout: minutes * 60_000,
    });
    await new Promise((resolve) => {
      child.once('close', resolve);
    });
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
