import { SLICE_MS } from '../plan.ts';
import type { EngineSettings } from '../plan.ts';
import type { Measurement, SliceSummary, SliceView, Totals } from '../measurement.ts';
import { median, trend } from '../compare/statistics.ts';
import { judgeThreshold, measuredOf, outcomeText } from '../thresholds.ts';
import type { Threshold } from '../thresholds.ts';
import { runTrial } from '../trial.ts';
import type { Trial, TrialOptions } from '../trial.ts';
import { BUSY, busyShare, generatorLimit } from '../generator-limit.ts';
import { PERIODS } from './step-length.ts';

export type Limit = 'latency' | 'errors' | 'violations' | 'generator' | 'throughput';

export interface StepOptions extends Pick<TrialOptions, 'target' | 'traffic' | 'warmupMs' | 'remote' | 'onSamples'> {
  readonly settings: EngineSettings;
  readonly rate: number;
  /** Period of the stalls of the target; undefined if it has none. */
  readonly periodMs: number | undefined;
  readonly durationMs: number;
  readonly thresholds: readonly Threshold[];
  readonly signal: AbortSignal;
  readonly firstId: number;
  /** Responses with violations so far in this step. */
  readonly violations: () => number;
  readonly onSlice: (view: SliceView, measurement: Measurement) => void;
}

export interface CapacityStep {
  readonly trial: Trial;
  readonly held: boolean;
  /** What limited a step that failed. */
  readonly limit?: Limit;
  readonly reason: string;
  /** More was offered than the target can handle. */
  readonly saturated: boolean;
  /** The target served a part of the requests and refused the others, as a rate limit does. */
  readonly refuses?: boolean;
  /** Number of requests without a response at the end. */
  readonly leftOver: number;
}

/** Growth of a queue, in requests and as a share of the offered requests, that does not count yet. */
const LEAST_GROWTH = 5;
const GROWTH_SHARE = 0.01;

/** Growth of the number of requests in the system from the warm-up to the end, by the Theil–Sen slope. */
export function queueGrowth(views: readonly SliceSummary[], warmupMs: number, periodMs: number | undefined): number {
  const steady = views.filter(({ draining, index }) => !draining && index * SLICE_MS >= warmupMs);
  const inSystem = steady.map(({ inFlight, backlog }) => inFlight + backlog);
  const lag = periodMs === undefined ? 0 : Math.round(periodMs / SLICE_MS);
  if (lag === 0 || inSystem.length <= lag) return trend(inSystem).slope * inSystem.length;
  // Stalls make the queue rise and fall: in each period, a target that keeps up clears it.
  if (inSystem.length >= PERIODS * lag) {
    const grown = Math.min(...inSystem.slice(-lag)) - Math.min(...inSystem.slice(0, lag));
    return (grown * inSystem.length) / (inSystem.length - lag);
  }
  const grown = inSystem.slice(lag).map((now, index) => now - (inSystem[index] ?? 0));
  return (median(grown) * inSystem.length) / lag;
}

/** The generator is the cause of high latencies if its lag is at least this share of them. */
const LAG_SHARE = 0.25;

function generatorCause(trial: Trial, thresholds: readonly Threshold[]): string | undefined {
  const { lag, steady, busy } = trial.measurement;
  const limit = generatorLimit(trial, thresholds);
  const percents = [99, ...thresholds.map((threshold) => percentOf(threshold) ?? 99)];
  const isLate = percents.some(
    (percent) => percent >= 99 && lag.percentile(percent) >= steady.latencies.percentile(percent) * LAG_SHARE,
  );
  const matters = busyShare(busy) > BUSY || isLate;
  return matters ? limit : undefined;
}

type Outcome = Omit<CapacityStep, 'trial' | 'leftOver'>;

const failed = (limit: Limit, reason: string, saturated: boolean): Outcome => ({
  held: false,
  limit,
  reason,
  saturated,
});

const LIMIT_OF: Readonly<Record<string, Limit>> = {
  errors: 'errors',
  unsent: 'errors',
  violations: 'violations',
  rate: 'throughput',
};

/** True if a fleet did not send a part of the load. */
export function hasGap({ fleet }: Trial): boolean {
  return fleet !== undefined && fleet.gaps.length > 0;
}

/** A step succeeds if the target keeps up and meets every threshold. Lag makes latencies worse: with it, only a success is valid. */
function judge(options: StepOptions, trial: Trial, cut: string | undefined): Outcome {
  const { rate, thresholds, durationMs, warmupMs } = options;
  const { steady, views } = trial.measurement;
  const offered = (rate * (durationMs - warmupMs)) / 1000;
  const growth = queueGrowth(views, warmupMs, options.periodMs);
  const saturated = cut === 'queue' || growth > Math.max(LEAST_GROWTH, offered * GROWTH_SHARE);
  const missed = thresholds
    .map((threshold) => ({
      threshold,
      ...judgeThreshold(threshold, measuredOf(trial.measurement, options.violations())),
    }))
    .filter(({ held }) => !held);
  if (hasGap(trial)) return failed('generator', 'a part of the load was missing: an agent was lost', false);
  const generator = generatorCause(trial, thresholds);
  const first =
    steady.answered > 0
      ? missed[0]
      : missed.find(({ threshold, noData }) => noData !== true && LIMIT_OF[threshold.metric] !== undefined);
  if (!saturated && !first && cut === undefined && steady.answered > 0)
    return { held: true, reason: 'thresholds met', saturated };
  if (generator !== undefined) return failed('generator', generator, saturated);
  const measured = steady.answered > 0 ? missed : missed.filter((each) => each === first);
  const reason = measured.map((each) => `${each.expression} missed: ${outcomeText(each)}`).join(', ');
  if (first) {
    const limit = LIMIT_OF[first.threshold.metric] ?? 'latency';
    if (limit !== 'errors') return failed(limit, reason, saturated);
    return { ...failed(limit, reason + errorsText(steady.errors), saturated), refuses: steady.answered > 0 };
  }
  if (steady.answered === 0 && cut === undefined)
    return failed('errors', 'no request received an accepted response', saturated);
  const more = Math.round(growth);
  return failed('throughput', `the queue grows: ${more} more requests waiting at the end than at the start`, saturated);
}

/** The most frequent errors, for example ` (429 ×120, timeout ×3)`. */
function errorsText(errors: Readonly<Record<string, number>>): string {
  const frequent = Object.entries(errors)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 3);
  return frequent.length === 0 ? '' : ` (${frequent.map(([name, count]) => `${name} ×${count}`).join(', ')})`;
}

interface StepSize {
  readonly thresholds: readonly Threshold[];
  readonly rate: number;
  readonly steadyMs: number;
  readonly afterWarmup: boolean;
}

/** A queue of more seconds of the offered rate cannot be cleared within a step. */
const QUEUE_SECONDS = 1;

/** The percentile that a threshold limits; undefined for other thresholds. */
function percentOf({ metric, comparison }: Threshold): number | undefined {
  if (!comparison.startsWith('<')) return undefined;
  if (metric === 'max') return 100;
  return metric.startsWith('p') ? Number(metric.slice(1)) : undefined;
}

/** True if more requests were too slow already than the whole step allows. */
function latencyIsLost(threshold: Threshold, steady: Totals, expected: number): boolean {
  const percent = percentOf(threshold);
  if (percent === undefined) return false;
  const allowed = Math.floor(((100 - percent) / 100) * expected);
  const { latencies } = steady;
  if (latencies.count <= allowed) return false;
  return latencies.percentile(100 * (1 - (allowed + 1) / latencies.count)) > threshold.limit;
}

/** Why a step can no longer meet its thresholds; undefined while it can. */
function certainlyOver(view: SliceView, steady: Totals, size: StepSize): string | undefined {
  const { rate, steadyMs, afterWarmup } = size;
  const thresholds = size.thresholds.filter(({ part }) => part === undefined);
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

/** Offers one rate; ends early if it is clearly too high. */
export async function runStep(options: StepOptions): Promise<CapacityStep> {
  const { settings, target, traffic, rate, durationMs, warmupMs, thresholds, signal, firstId } = options;
  let cut: string | undefined;
  const trial = await runTrial({
    ...settings,
    target,
    traffic,
    model: 'open',
    warmupMs,
    keepsIds: false,
    signal,
    firstId,
    schedule: { arrivals: 'even', segments: [{ durationMs, from: rate, to: rate }] },
    onSamples: options.onSamples,
    remote: options.remote,
    onSlice: (view, measurement) => {
      options.onSlice(view, measurement);
      cut ??= certainlyOver(view, measurement.steady, {
        thresholds,
        rate,
        steadyMs: durationMs - warmupMs,
        afterWarmup: view.index * SLICE_MS >= warmupMs,
      });
      return cut !== undefined || view.draining ? 'stop' : 'on';
    },
  });
  const last = trial.measurement.views.findLast(({ draining }) => !draining);
  return { trial, leftOver: last ? last.inFlight + last.backlog : 0, ...judge(options, trial, cut) };
}
