import { isObject } from '../spec/index.ts';
import type { RunRecord } from '../spec/index.ts';

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

/** True for an object with a `type`; the rest of it is not checked. */
export function isRecord(value: unknown): value is RunRecord {
  return isObject(value) && typeof value['type'] === 'string';
}
