import type { RunRecord, TestRecord } from '../spec/index.ts';

export type RecordOf<T extends RunRecord['type']> = Extract<RunRecord, { type: T }>;

/** The records of one type. */
export function recordsOf<T extends RunRecord['type']>(records: readonly RunRecord[], type: T): RecordOf<T>[] {
  return records.filter((record): record is RecordOf<T> => record.type === type);
}

/** A record without its `type`, as the summary holds it. */
export function bare<R extends RunRecord>(record: R): Omit<R, 'type'> {
  const { type, ...rest } = record;
  return type === undefined ? record : rest;
}

/** The results of all tests; of a test that ran again, those of the second time. */
export function testsOf(records: readonly RunRecord[]): TestRecord[] {
  const all = [...recordsOf(records, 'test'), ...recordsOf(records, 'rerun').flatMap(({ tests }) => tests)];
  return [...new Map(all.map((test) => [test.name, test])).values()];
}
