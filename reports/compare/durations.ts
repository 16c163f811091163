import type { TestRecord } from '../../spec/index.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { TimeChange } from './types.ts';

/** Smaller changes count as noise. A change that all operations have in common is factored out first. */
const FACTOR = 3;
const LEAST_MS = 20;
const SHOWN = 20;

/** Operations whose requests take three times as long or a third of the time; the largest change first. */
export function timeChanges(before: readonly TestRecord[], after: readonly TestRecord[]): TimeChange[] {
  const old = perRequest(before);
  const changes = [...perRequest(after)].flatMap(([operation, afterMs]) => {
    const beforeMs = old.get(operation);
    return beforeMs === undefined || beforeMs === 0 || afterMs === 0 ? [] : [{ operation, beforeMs, afterMs }];
  });
  const usual = Math.max(0.01, median(changes.map(({ beforeMs, afterMs }) => afterMs / beforeMs)));
  return changes
    .filter(
      ({ beforeMs, afterMs }) =>
        Math.abs(afterMs - beforeMs) >= LEAST_MS && Math.abs(Math.log(afterMs / beforeMs / usual)) >= Math.log(FACTOR),
    )
    .toSorted((a, b) => Math.abs(b.afterMs - b.beforeMs) - Math.abs(a.afterMs - a.beforeMs))
    .slice(0, SHOWN);
}

/** Milliseconds per request by operation: the upper median over its tests. */
function perRequest(tests: readonly TestRecord[]): Map<string, number> {
  const timed = tests.flatMap((test) => {
    const requests = test.statuses.reduce((sum, status) => sum + status.count, 0);
    return test.operation === undefined || requests === 0
      ? []
      : [{ operation: test.operation, ms: test.durationMs / requests }];
  });
  return new Map(
    [...groupBy(timed, (one) => one.operation)].map(([operation, ones]) => [
      operation,
      median(ones.map((one) => one.ms)),
    ]),
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
