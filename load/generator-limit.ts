import type { ScenarioRecord } from '../spec/index.ts';
import { median } from './compare/statistics.ts';
import type { Plan } from './plan.ts';
import type { Threshold } from './thresholds.ts';
import type { Trial } from './trial.ts';

/** Generator lag up to this is never a problem. */
export const LEAST_LAG_MS = 2;
/** An event loop that is busy for more than this share of the time is saturated. */
export const BUSY = 0.95;
/** Fewer accepted responses than this share of the offered rate are too few. */
const LEAST_RATE_SHARE = 0.99;

const isLatency = ({ metric }: Threshold): boolean => /^(?:p\d|mean|max)/.test(metric);

/** The strictest latency threshold, in milliseconds. */
function latencyObjective(thresholds: readonly Threshold[]): number | undefined {
  const limits = thresholds
    .filter((threshold) => isLatency(threshold) && threshold.comparison.startsWith('<'))
    .map(({ limit }) => limit);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** Share of the time in which the event loop of the busiest worker was busy: the median over the slices. */
export function busyShare(busy: readonly number[]): number {
  return busy.length === 0 ? 0 : median(busy);
}

/** Generator lag that decides whether a threshold holds, by its percentile: a percentile above 99 and `max` see rare stalls. */
function percentOf({ metric }: Threshold): number {
  return metric === 'max' ? 100 : Math.max(99, Number(/^p([\d.]+)$/.exec(metric)?.[1] ?? 99));
}

/** Rare stalls of the generator that matter to a threshold of a percentile above 99, or of the maximum. */
function rareLag({ measurement: { lag } }: Trial, thresholds: readonly Threshold[]): string | undefined {
  for (const threshold of thresholds) {
    if (!isLatency(threshold) || !threshold.comparison.startsWith('<') || percentOf(threshold) === 99) continue;
    const [lagMs, allowed] = [lag.percentile(percentOf(threshold)), Math.max(LEAST_LAG_MS, threshold.limit / 10)];
    if (lagMs > allowed) return lagText(threshold.metric, lagMs, allowed);
  }
  return undefined;
}

const lagText = (metric: string, lagMs: number, allowed: number): string =>
  `generator lag ${metric} ${lagMs.toFixed(1)} ms, allowed ${allowed.toFixed(1)} ms`;

/** Why the load generator, not the target, limited a measurement; undefined if it did not. */
export function generatorLimit(trial: Trial, thresholds: readonly Threshold[]): string | undefined {
  return steadyLimit(trial, thresholds) ?? rareLag(trial, thresholds);
}

/** What limited it most of the time. */
function steadyLimit(trial: Trial, thresholds: readonly Threshold[]): string | undefined {
  const { lag, busy } = trial.measurement;
  const allowed = Math.max(LEAST_LAG_MS, (latencyObjective(thresholds) ?? 0) / 10);
  const lagP99 = lag.percentile(99);
  const slowest = trial.fleet?.slowest;
  const worst = slowest === undefined ? '' : `, most on agent ${slowest.agent}`;
  if (lagP99 > allowed) return lagText('p99', lagP99, allowed) + worst;
  const share = busyShare(busy);
  return share > BUSY
    ? `the generator's event loop was busy ${(share * 100).toFixed(0)}% of the time: use more --workers`
    : undefined;
}

/** True if a missed threshold might hold without the lag of the generator. A rate might be higher if all had been sent in time. */
function isDoubtful(threshold: Threshold, value: number, { measurement: { lag, busy, steady } }: Trial): boolean {
  const { metric, limit } = threshold;
  if (isLatency(threshold)) return value - lag.percentile(percentOf(threshold)) <= limit;
  if (metric !== 'rate') return false;
  return busyShare(busy) > BUSY || value * steady.spanMs >= limit * (steady.spanMs - lag.percentile(100));
}

/** True if less was answered than a constant rate offers, although nothing failed. */
function isShort(
  { requests, rate, offeredRate, errors, detail }: ScenarioRecord,
  { profile, executor }: Plan,
): boolean {
  const isConstant = (profile === 'steady' || profile === 'soak') && executor.segments === undefined && !detail?.flow;
  return isConstant && requests > 0 && Object.keys(errors).length === 0 && rate < offeredRate * LEAST_RATE_SHARE;
}

/**
 * The limit of the generator, if it decides the verdict. Its lag makes latencies worse, never better: a threshold that is met
 * with lag is met, and one that is missed by more than the lag is missed.
 */
export function decidingLimit(
  record: ScenarioRecord,
  trial: Trial,
  thresholds: readonly Threshold[],
  plan: Plan,
): string | undefined {
  const limit = generatorLimit(trial, thresholds);
  if (limit === undefined) return undefined;
  const missed = thresholds.flatMap((threshold, index) => {
    const { held = true, value = 0 } = record.thresholds[index] ?? {};
    return held ? [] : [isDoubtful(threshold, value, trial)];
  });
  const decides =
    missed.length > 0 ? missed.every(Boolean) : steadyLimit(trial, thresholds) !== undefined && isShort(record, plan);
  return decides ? limit : undefined;
}
