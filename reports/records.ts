import type { RunRecord, TestRecord } from '../spec/index.ts';

export type RecordOf<T extends RunRecord['type']> = Extract<RunRecord, { type: T }>;

export function recordsOf<T extends RunRecord['type']>(records: readonly RunRecord[], type: T): RecordOf<T>[] {
  return records.filter((record): record is RecordOf<T> => record.type === type);
}

/** A record without its `type`, as the summary holds it. */
export function bare<R extends RunRecord>(record: R): Omit<R, 'type'> {
  const { type: _type, ...rest } = record;
  return rest;
}

/** The results of all tests; of a test that ran again, those of the second time, with the findings of both. */
export function testsOf(records: readonly RunRecord[]): TestRecord[] {
  const tests = new Map(recordsOf(records, 'test').map((test) => [test.name, test]));
  for (const again of recordsOf(records, 'rerun').flatMap((record) => record.tests))
    tests.set(again.name, { ...again, findings: [...(tests.get(again.name)?.findings ?? []), ...again.findings] });
  return [...tests.values()];
}
