import type { Contract, Effect, RunRecord, TestRecord } from '../spec/index.ts';
import { expectedRequests } from './kit/effort.ts';
import { PLANNED } from './kit/options.ts';
import type { SuiteRunOptions } from './kit/options.ts';
import { runSuites } from './run.ts';

/** What a run would test. */
export interface TestPlan {
  /** Tests that would run. */
  readonly tests: number;
  /** Operations that they would test. */
  readonly operations: number;
  /** Tests that would be skipped, by the reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Those of them that would be skipped because an effect is not allowed, by the effect. */
  readonly lacking: Readonly<Partial<Record<Effect, number>>>;
  /** Requests that they would send, roughly. */
  readonly requests: number;
}

/** Finds out what a run with these options would test. Sends nothing. */
export async function planSuites(options: SuiteRunOptions, contract: Contract): Promise<TestPlan> {
  const records: TestRecord[] = [];
  const keep = (record: RunRecord): void => {
    if (record.type === 'test') records.push(record);
  };
  await runSuites({ ...options, planOnly: true }, keep, { contract });
  const planned = records.filter(({ reason }) => reason === PLANNED);
  const skipped: Record<string, number> = {};
  const lacking: Partial<Record<Effect, number>> = {};
  for (const { reason = 'unknown', lacks } of records.filter((each) => each.reason !== PLANNED)) {
    skipped[reason] = (skipped[reason] ?? 0) + 1;
    if (lacks !== undefined) lacking[lacks] = (lacking[lacks] ?? 0) + 1;
  }
  const operations = new Set(planned.flatMap(({ operation }) => operation ?? [])).size;
  return {
    tests: planned.length,
    operations,
    skipped,
    lacking,
    requests: expectedRequests({ ...options, operations }),
  };
}
