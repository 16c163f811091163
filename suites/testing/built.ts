import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EFFECTS } from '../../spec/index.ts';
import type { RunRecord, TestRecord } from '../../spec/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import type * as suites from '../index.ts';

const FILE = join(fileURLToPath(new URL('../../', import.meta.url)), 'dist/suites/index.js');

/** The suites as they are built. From the sources, Vite would transform some 300 modules for each run. */
export const { patternsWithoutTests, runSuites } = (await import(pathToFileURL(FILE).href)) as typeof suites;

type Options = Partial<suites.SuiteRunOptions> & Pick<suites.SuiteRunOptions, 'baseUrl'>;

/** Runs the suites as they are built, all of them with every effect where the options don't say otherwise; returns what they record. */
export async function runBuilt(options: Options): Promise<readonly RunRecord[]> {
  const records: RunRecord[] = [];
  const runId = Math.random().toString(36).slice(2, 8);
  const selection = { allow: EFFECTS, only: [], skip: [], seed: 1, runs: 10, strict: false };
  const surroundings = { tokens: {}, embedded: false, settleMs: 20, journalDir: emptyDirectory(), runId };
  await runSuites({ ...selection, ...surroundings, ...options }, (record) => void records.push(record));
  return records;
}

export const testsOf = (records: readonly RunRecord[]): readonly TestRecord[] =>
  records.filter((each) => each.type === 'test');
