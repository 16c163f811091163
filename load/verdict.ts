import type { Judging } from './judging.ts';
import type { Totals } from './measurement.ts';
import type { Measured, Threshold } from './thresholds.ts';
import type { Trial } from './trial.ts';

const LEAST_LAG_MS = 2;
/** Above this share of the time an event loop has no room left. */
export const BUSY = 0.95;
const LATE_SHARE = 0.01;

/** Totals as thresholds see them. */
export function measuredOf(totals: Totals, violations: number): Measured {
  return {
    percentile: (percent) => totals.latencies.percentile(percent),
    mean: totals.latencies.meanMs,
    answered: totals.answered,
    errorShare: totals.errorShare,
    rate: totals.rate,
    violations,
    unsent: totals.unsent,
  };
}

/** The tightest latency that thresholds ask for, in milliseconds. */
export function latencyObjective(thresholds: readonly Threshold[]): number | undefined {
  const limits = thresholds
    .filter(({ metric, comparison }) => /^(p\d|mean|max)/.test(metric) && comparison.startsWith('<'))
    .map(({ limit }) => limit);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** Share of the time in which the busiest worker's event loop was busy: the median over the slices. */
export function busyShare(busy: readonly number[]): number {
  const sorted = [...busy].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Why the generator, not the target, limited a measurement; undefined where it did not. */
export function generatorLimit(trial: Trial, thresholds: readonly Threshold[]): string | undefined {
  const { lag, busy } = trial.measurement;
  const allowed = Math.max(LEAST_LAG_MS, (latencyObjective(thresholds) ?? 0) / 10);
  const lagP99 = lag.percentile(99);
  if (lagP99 > allowed)
    return `the generator was late: schedule lag p99 ${lagP99.toFixed(1)} ms, allowed ${allowed.toFixed(1)} ms`;
  const share = busyShare(busy);
  if (share > BUSY)
    return `the generator's event loop was busy ${(share * 100).toFixed(0)}% of the time: use more workers`;
  return undefined;
}

/** Things that a reader must know to trust the figures. */
export function notesOf(trial: Trial, thresholds: readonly Threshold[], judging: Judging | undefined): string[] {
  const { whole } = trial.measurement;
  const notes: string[] = [];
  const limit = generatorLimit(trial, thresholds);
  if (limit !== undefined) notes.push(`generator-limited: ${limit}`);
  if (whole.requests > 0 && whole.late / whole.requests > LATE_SHARE) {
    notes.push(
      `${whole.late} of ${whole.requests} requests waited for a free connection; their latency counts from when they were due`,
    );
  }
  if (whole.answered === 0) notes.push('no request was answered well: there is no latency to judge');
  if (whole.unsent > 0) notes.push(`${whole.unsent} requests were never sent: no connection became free in time`);
  if (trial.connected === 0) notes.push('no connection could be made at the start');
  if (judging && judging.judged === 0 && whole.answered > 0) notes.push('no answer was judged by the checks');
  return notes;
}
