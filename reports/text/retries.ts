import type { Summary } from '../summary/types.ts';
import { count, duration } from './numbers.ts';

const OPERATIONS = 10;

/** Changes that became visible late, repeated requests and waits, by operation. */
export function retryLines({
  late,
  statistics,
  options,
}: Pick<Summary, 'late' | 'statistics' | 'options'>): readonly string[] {
  return [...lateLines(late, options['settleMs']), ...(statistics === undefined ? [] : sendingLines(statistics))];
}

function lateLines({ staleLooks, operations }: Summary['late'], settleMs: unknown): readonly string[] {
  const times = operations.reduce((sum, each) => sum + each.times, 0);
  if (times === 0) return [];
  const shown = operations
    .slice(0, OPERATIONS)
    .map(({ operation, times: amount, latestMs }) => `${operation}: ${count(amount, 'time')}${upTo(latestMs)}`);
  return [
    `${count(times, 'change')} became visible late${upTo(operations[0]?.latestMs ?? 0)}; ${count(staleLooks, 'read')} returned stale data (changes by other users look the same)`,
    ...settleHint(operations[0]?.latestMs ?? 0, settleMs),
    ...shown,
    ...restLine(operations.length - OPERATIONS),
  ];
}

/** Nothing where only the first read missed the change. */
function upTo(latestMs: number): string {
  return latestMs < 1 ? '' : `, up to ${duration(latestMs)}`;
}

/** Where a change took longer than the run waits for one, a finding may only have been too early. */
function settleHint(latestMs: number, settleMs: unknown): readonly string[] {
  if (typeof settleMs !== 'number' || latestMs <= settleMs) return [];
  const enough = Math.ceil((2 * latestMs) / 1000);
  return [
    `longer than --settle (${duration(settleMs)}): findings about changes may be too early; run again with --settle ${enough}s`,
  ];
}

function sendingLines({ repeats, waitedMs, operations }: NonNullable<Summary['statistics']>): readonly string[] {
  const waited = Object.entries(waitedMs).filter(([, ms]) => ms >= 1);
  const repeated = Object.keys(repeats).length > 0;
  if (!repeated && waited.length === 0) return [];
  return [
    ...(repeated ? [`requests repeated after ${reasonsOf(repeats)}`] : []),
    ...(waited.length === 0
      ? []
      : [
          `waiting times, added up over all requests: ${waited.map(([reason, ms]) => `${duration(ms)} after ${nameOf(reason)}`).join(', ')}`,
        ]),
    ...operations
      .slice(0, OPERATIONS)
      .map(({ operation, repeats: own }) => `${operation}: ${reasonsOf(own) || 'waited'}`),
    ...restLine(operations.length - OPERATIONS),
  ];
}

function reasonsOf(repeats: Readonly<Record<string, number>>): string {
  return Object.entries(repeats)
    .map(([reason, amount]) => `${nameOf(reason)} ×${amount}`)
    .join(', ');
}

/** `503` of `status-503`. */
function nameOf(reason: string): string {
  return reason.replace(/^status-/, '');
}

function restLine(rest: number): readonly string[] {
  return rest > 0 ? [`… and ${count(rest, 'more operation')}`] : [];
}
