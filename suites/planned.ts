import type { Contract, RunRecord } from '../spec/index.ts';
import { PLANNED } from './kit/options.ts';
import type { SuiteRunOptions } from './kit/options.ts';
import { runSuites } from './run.ts';

/** Names of the tests that a run with these options would not skip. Sends nothing. */
export async function plannedNames(options: SuiteRunOptions, contract: Contract): Promise<readonly string[]> {
  const names: string[] = [];
  const keep = (record: RunRecord): void => {
    if (record.type === 'test' && record.reason === PLANNED) names.push(record.name);
  };
  await runSuites({ ...options, planOnly: true }, keep, undefined, contract);
  return names;
}
