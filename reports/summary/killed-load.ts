import { count } from '../../spec/count.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { RunRecord, TickRecord } from '../../spec/index.ts';
import { recordsOf } from '../records.ts';
import type { RunError } from './types.ts';

/** What the seconds of a killed load run tell. */
interface KilledLoad {
  readonly durationMs: number;
  /** Requests with an outcome, of scenarios without a record of their own. */
  readonly requests: number;
  readonly errors: readonly RunError[];
}

const secondsOf = (ticks: readonly TickRecord[]): number => Math.max(...ticks.map(({ second }) => second)) + 1;

const requestsOf = (ticks: readonly TickRecord[]): number =>
  ticks.reduce((sum, { rate, errors, parts }) => {
    const counted = parts?.reduce((total, { requests }) => total + requests, 0);
    return sum + (counted ?? rate + errors);
  }, 0);

/** The figures of a log without an end: percentiles of a scenario cannot be computed from those of its seconds. */
export function killedLoad(records: readonly RunRecord[]): KilledLoad {
  const isKilled = recordsOf(records, 'run-end').length === 0;
  const ended = new Set(recordsOf(records, 'scenario').map(({ name }) => name));
  const byScenario = [...groupBy(isKilled ? recordsOf(records, 'tick') : [], ({ scenario }) => scenario)];
  const killed = byScenario.filter(([name]) => !ended.has(name));
  return {
    durationMs: byScenario.reduce((sum, [, ticks]) => sum + secondsOf(ticks) * 1000, 0),
    requests: killed.reduce((sum, [, ticks]) => sum + requestsOf(ticks), 0),
    errors: killed.map(([name, ticks]) => ({
      message: `${name} was killed after ${count(secondsOf(ticks), 'second')} of load, before its percentiles and thresholds were computed`,
      hint: 'The figures of each second are in --report csv and --report ndjson.',
    })),
  };
}
