import type { RunRecord, StatisticsRecord, TestRecord } from '../../spec/index.ts';
import { groupBy } from '../../spec/group-by.ts';
import { bare, recordsOf } from '../records.ts';
import type { MergedFinding, Summary } from './types.ts';

/** The client's statistics; those of several shards add up. The share of refusals is that of the shard that was refused longest. */
export function statisticsOf(records: readonly RunRecord[]): Pick<Summary, 'statistics'> {
  const [first, ...others] = recordsOf(records, 'statistics').map(bare);
  if (first === undefined) return {};
  return {
    statistics: others.reduce(
      (sum, one) => ({
        exchanges: sum.exchanges + one.exchanges,
        attempts: sum.attempts + one.attempts,
        failures: sum.failures + one.failures,
        responseBytes: sum.responseBytes + one.responseBytes,
        repeats: added(sum.repeats, one.repeats),
        waitedMs: added(sum.waitedMs, one.waitedMs),
        operations: [...sum.operations, ...one.operations],
        ...refusedShareOf(sum, one),
        ...unansweredOf(sum, one),
      }),
      first,
    ),
  };
}

function refusedShareOf(...shards: readonly NonNullable<Summary['statistics']>[]): { readonly refusedShare?: number } {
  const shares = shards.flatMap(({ refusedShare = [] }) => refusedShare);
  return shares.length === 0 ? {} : { refusedShare: Math.max(...shares) };
}

function unansweredOf(
  ...shards: readonly NonNullable<Summary['statistics']>[]
): Pick<StatisticsRecord, 'unanswered' | 'hasStopped'> {
  const all = shards.flatMap(({ unanswered = [] }) => unanswered);
  if (all.length === 0) return {};
  const hasStopped = shards.some((each) => each.hasStopped);
  return { unanswered: all.toSorted((a, b) => b.waitedMs - a.waitedMs), ...(hasStopped ? { hasStopped } : {}) };
}

function added(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

/** Changes that became visible late, by operation. */
export function lateChanges(tests: readonly TestRecord[]): Summary['late'] {
  const all = tests.flatMap(({ late = [] }) => late);
  return {
    staleLooks: all.reduce((sum, { looks }) => sum + looks, 0),
    operations: [...groupBy(all, ({ operation }) => operation)]
      .map(([operation, changes]) => ({
        operation,
        times: changes.length,
        latestMs: Math.max(...changes.map(({ ms }) => ms)),
      }))
      .toSorted((a, b) => b.latestMs - a.latestMs),
  };
}

export const isUnrun = ({ verdict, outOfTime }: TestRecord): boolean => verdict === 'skipped' && outOfTime === true;

export function totals(
  tests: readonly TestRecord[],
  findings: readonly MergedFinding[],
  loadRequests = 0,
): Summary['totals'] {
  const amount = { passed: 0, failed: 0, skipped: 0, error: 0, exchanges: loadRequests, cases: 0 };
  for (const test of tests) {
    amount[test.verdict] += 1;
    amount.cases += test.cases;
    for (const { count } of test.statuses) amount.exchanges += count;
  }
  const { error: errors, passed, failed, skipped, exchanges, cases } = amount;
  const outOfTime = tests.filter(isUnrun).length;
  const merged = new Map(findings.map((each) => [each.fingerprint, each]));
  const isKnown = ({ verdict, findings: reported }: TestRecord): boolean => {
    const found = reported.flatMap(({ fingerprint }) => merged.get(fingerprint) ?? []);
    return verdict === 'failed' && found.some((each) => each.known) && !found.some((each) => each.fails);
  };
  const known = tests.filter(isKnown).length;
  return {
    passed,
    failed,
    skipped,
    errors,
    exchanges,
    cases,
    ...(known === 0 ? {} : { known }),
    ...(outOfTime === 0 ? {} : { outOfTime }),
  };
}
