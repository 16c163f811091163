import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/files.ts';
import { emptyDirectory } from './run-assay.ts';
import type { Served } from './run-assay.ts';

/** What a test did. */
export interface Outcome {
  /** `passed`, `failed`, or `none` if the file could not be run. */
  readonly status: string;
  /** Of its failure. */
  readonly message: string;
}

/** A test of a finding, and what it did against both services. */
export interface TriedTest {
  readonly file: string;
  readonly source: string;
  readonly faulty: Outcome;
  readonly healthy: Outcome;
}

/** The outcomes of a folder's tests against a service, by the name of the file. */
async function outcomes(dir: string, { env, baseUrl }: Served): Promise<ReadonlyMap<string, Outcome>> {
  const file = join(emptyDirectory(), 'results.json');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const words = [vitest, 'run', '--root', dir, '--reporter=json', '--outputFile', file, '--no-cache', '--no-isolate'];
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  await new Promise((resolve) => {
    execFile(process.execPath, words, { env: { ...clean, ...env, ASSAY_BASE_URL: baseUrl } }, resolve);
  });
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
    }[];
  };
  return new Map(
    testResults.map(({ name, assertionResults: [result] }) => [
      name.split('/').at(-1) ?? '',
      { status: result?.status ?? 'none', message: result?.failureMessages[0] ?? '' },
    ]),
  );
}

/** Runs the tests that `--report vitest` wrote into a folder of reports against the service that has the defects, and one without. */
export async function tryTests(report: string, faulty: Served, healthy: Served): Promise<readonly TriedTest[]> {
  // In a folder where they find Vitest, and with a configuration of their own: that of this repository selects none of them.
  const dir = mkdtempSync(join(ROOT, 'node_modules', '.assay-findings-'));
  try {
    cpSync(join(report, 'vitest'), dir, { recursive: true });
    writeFileSync(join(dir, 'vitest.config.mjs'), 'export default {};');
    const [onFaulty, onHealthy] = await Promise.all([outcomes(dir, faulty), outcomes(dir, healthy)]);
    const missing: Outcome = { status: 'none', message: '' };
    return [...onHealthy].map(([file, outcome]) => ({
      file,
      source: readFileSync(join(dir, file), 'utf8'),
      faulty: onFaulty.get(file) ?? missing,
      healthy: outcome,
    }));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** True if the test shows the defect: it fails where the defect is, and passes where it is not. */
export const shows = ({ faulty, healthy }: TriedTest): boolean =>
  faulty.status === 'failed' && healthy.status === 'passed';
