import { readLog, recordsOf } from '../../reports/index.ts';
import { AssayError } from '../../spec/index.ts';
import type { RunRecord, RunStart } from '../../spec/index.ts';

/** Most tests to run first: they run one after another. */
const MOST = 10;

export interface EarlierFailures {
  readonly target: RunStart['target'] | undefined;
  /** Names of tests; for each finding, the first that reported it. */
  readonly tests: readonly string[];
}

/** Reads the log in a directory, before a new run replaces it; empty if there is none. */
export function earlierFailures(directory: string): EarlierFailures {
  const records = logIn(directory);
  const found = new Set<string>();
  const tests = recordsOf(records, 'test').filter(({ verdict, findings }) => {
    const added = findings.filter(({ fingerprint }) => !found.has(fingerprint));
    for (const { fingerprint } of added) found.add(fingerprint);
    return verdict === 'failed' && added.length > 0;
  });
  return { target: recordsOf(records, 'run-start')[0]?.target, tests: tests.map(({ name }) => name) };
}

function logIn(directory: string): readonly RunRecord[] {
  try {
    return readLog(directory);
  } catch (error) {
    if (error instanceof AssayError) return [];
    throw error;
  }
}

/** Names of the tests to run first: those that failed on the same target. */
export function failedBefore({ target, tests }: EarlierFailures, now: RunStart['target']): readonly string[] {
  const isSame = target?.embedded === true ? now.embedded : target?.baseUrl === now.baseUrl;
  return isSame ? tests.slice(0, MOST) : [];
}
