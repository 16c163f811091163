import type { TestRecord } from '../../spec/index.ts';
import { groupBy } from '../group.ts';
import type { TimeChange } from './types.ts';

/** Less than this is the noise of a machine that others use too. */
const FACTOR = 2;
const LEAST_MS = 20;
const SHOWN = 20;

/** Operations whose tests take more than twice (or less than half) as long a request, the largest change first. */
export function timeChanges(before: readonly TestRecord[], after: readonly TestRecord[]): TimeChange[] {
  const old = perRequest(before);
  return [...perRequest(after)]
    .flatMap(([operation, afterMs]) => {
      const beforeMs = old.get(operation);
      return beforeMs === undefined ? [] : [{ operation, beforeMs, afterMs }];
    })
    .filter(({ beforeMs, afterMs }) => Math.abs(afterMs - beforeMs) >= LEAST_MS && Math.max(afterMs / beforeMs, beforeMs / afterMs) >= FACTOR)
    .toSorted((a, b) => Math.abs(b.afterMs - b.beforeMs) - Math.abs(a.afterMs - a.beforeMs))
    .slice(0, SHOWN);
}

/** Median over an operation's tests of the milliseconds a request took. */
function perRequest(tests: readonly TestRecord[]): Map<string, number> {
  const timed = tests.flatMap((test) => {
    const requests = test.statuses.reduce((sum, status) => sum + status.count, 0);
    return test.operation === undefined || requests === 0 ? [] : [{ operation: test.operation, ms: test.durationMs / requests }];
  });
  return new Map([...groupBy(timed, (one) => one.operation)].map(([operation, ones]) => [operation, median(ones.map((one) => one.ms))]));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
