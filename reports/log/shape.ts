import { isObject } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';

type Kind = 'text' | 'list' | 'object';

/** Members without which a record cannot be read; logs of all versions have them. */
const MEMBERS: Readonly<Partial<Record<RunRecord['type'], Readonly<Record<string, Kind>>>>> = {
  'run-start': { startedAt: 'text', command: 'text', target: 'object', spec: 'object', options: 'object' },
  operation: { id: 'text', forms: 'list' },
  requirement: { id: 'text' },
  test: { name: 'text', suite: 'text', startedAt: 'text', checks: 'list', statuses: 'list', findings: 'list' },
  effects: { left: 'list' },
  statistics: { repeats: 'object', waitedMs: 'object', operations: 'list' },
  rerun: { recurred: 'list', notRecurred: 'list', tests: 'list' },
  error: { message: 'text' },
  tick: { scenario: 'text', latencyMs: 'object' },
  scenario: { name: 'text', thresholds: 'list', errors: 'object', latencyMs: 'object' },
  capacity: { scenario: 'text', steps: 'list' },
};

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  list: Array.isArray,
  object: isObject,
};

/** A record; undefined for a value that is none. Types that are not known are those of later versions. */
export function asRecord(value: unknown): RunRecord | undefined {
  if (!isObject(value) || typeof value['type'] !== 'string') return undefined;
  const members = Object.entries(MEMBERS[value['type'] as RunRecord['type']] ?? {});
  return members.every(([name, kind]) => IS[kind](value[name])) ? (value as unknown as RunRecord) : undefined;
}
