import type { StatisticsRecord } from '../../spec/index.ts';
import { count, duration } from './numbers.ts';

type Statistics = Omit<StatisticsRecord, 'type'>;

const OPERATIONS = 10;

/** What repeating and waiting hid: repeated requests by reason, waits, and the operations concerned; empty where there was none. */
export function sendingLines({ repeats, waitedMs, operations }: Statistics): readonly string[] {
  const repeated = Object.entries(repeats).map(([reason, amount]) => `${reason} ×${amount}`);
  const waited = Object.entries(waitedMs).filter(([, ms]) => ms >= 1);
  if (repeated.length === 0 && waited.length === 0) return [];
  const rest = operations.length - OPERATIONS;
  return [
    ...(repeated.length === 0 ? [] : [`requests repeated: ${repeated.join(', ')}`]),
    ...(waited.length === 0
      ? []
      : [`time waited: ${waited.map(([reason, ms]) => `${reason} ${duration(ms)}`).join(', ')}`]),
    ...operations
      .slice(0, OPERATIONS)
      .map(({ operation, attempts, exchanges }) => `${operation}: ${count(attempts - exchanges, 'repeat')}`),
    ...(rest > 0 ? [`… and ${count(rest, 'more operation')}`] : []),
  ];
}
