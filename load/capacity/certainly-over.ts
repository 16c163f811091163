import type { SliceView, Totals } from '../measurement.ts';
import type { Threshold } from '../thresholds.ts';

export interface StepSize {
  readonly thresholds: readonly Threshold[];
  readonly rate: number;
  readonly steadyMs: number;
  readonly afterWarmup: boolean;
}

/** A queue longer than this many seconds of the offered rate cannot be cleared within a step. */
const QUEUE_SECONDS = 1;

function percentOf({ metric, comparison }: Threshold): number | undefined {
  if (!comparison.startsWith('<')) return undefined;
  if (metric === 'max') return 100;
  return metric.startsWith('p') ? Number(metric.slice(1)) : undefined;
}

/** True when more requests were too slow than the whole step allows. */
function latencyIsLost(threshold: Threshold, steady: Totals, expected: number): boolean {
  const percent = percentOf(threshold);
  if (percent === undefined) return false;
  const allowed = Math.floor(((100 - percent) / 100) * expected);
  const { latencies } = steady;
  if (latencies.count <= allowed) return false;
  return latencies.percentile(100 * (1 - (allowed + 1) / latencies.count)) > threshold.limit;
}

/** Why a step can no longer meet its thresholds; undefined while it can. */
export function certainlyOver(view: SliceView, steady: Totals, size: StepSize): string | undefined {
  const { thresholds, rate, steadyMs, afterWarmup } = size;
  const longest = Math.min(
    ...thresholds.filter((threshold) => percentOf(threshold) !== undefined).map(({ limit }) => limit),
    10_000,
  );
  if (view.backlog + view.inFlight > rate * (QUEUE_SECONDS + longest / 1000) && view.backlog + view.inFlight > 20)
    return 'queue';
  if (!afterWarmup) return undefined;
  const expected = (rate * steadyMs) / 1000;
  if (thresholds.some((threshold) => latencyIsLost(threshold, steady, expected))) return 'latency';
  const errors = thresholds.find(({ metric, comparison }) => metric === 'errors' && comparison.startsWith('<'));
  if (errors && steady.failed > errors.limit * expected + 1) return 'errors';
  return undefined;
}
