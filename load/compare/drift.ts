import { SLICE_MS } from '../plan.ts';
import type { DriftMetric, ScenarioDetail } from '../../spec/index.ts';
import type { Measurement, SliceSummary } from '../measurement.ts';
import { PROCESS_METRICS } from './target-metrics.ts';
import type { ProcessSeries } from './target-metrics.ts';
import { chunks, median, trend } from './statistics.ts';

/** A run is divided into about so many parts. */
const PARTS = 30;
const LEAST_PARTS = 10;
const SIGNIFICANT = 0.01;
/** Smaller relative changes over a run are not reported. */
const LEAST_CHANGE = 0.1;

/** Kinds of values: the least change that is reported, and how a value is shown. */
const KINDS = {
  latency: { least: LEAST_CHANGE, text: (value: number) => `${value.toFixed(Math.abs(value) < 10 ? 2 : 1)} ms` },
  share: { least: 0.001, text: (value: number) => `${(value * 100).toFixed(2)} percentage points` },
  bytes: { least: LEAST_CHANGE, text: (value: number) => `${(value / 2 ** 20).toFixed(1)} MiB` },
  count: { least: LEAST_CHANGE, text: (value: number) => value.toFixed(1) },
} as const;

const KIND_OF: Readonly<Record<DriftMetric['metric'], keyof typeof KINDS>> = {
  p50: 'latency',
  p99: 'latency',
  errors: 'share',
  memory: 'bytes',
  heap: 'bytes',
  files: 'count',
};

const HOUR_MS = 3_600_000;

/** @param spanMs the time from the first to the last value */
function judge(metric: DriftMetric['metric'], values: readonly number[], spanMs: number): DriftMetric {
  const { p, slope, low, high } = trend(values);
  const steps = Math.max(1, values.length - 1);
  const change = slope * steps;
  const level = median(values);
  const kind = KIND_OF[metric];
  const relative = kind === 'share' ? change : level > 0 ? change / level : 0;
  const hourly = (steps * HOUR_MS) / Math.max(1, spanMs);
  return {
    metric,
    p,
    change,
    relative,
    perHour: { slope: slope * hourly, low: low * hourly, high: high * hourly },
    significant: p < SIGNIFICANT && Math.abs(relative) > KINDS[kind].least,
  };
}

/** The note on a metric. @param spanMs duration of the run: slopes of short runs are given per minute, not per hour */
function sentence({ metric, change, relative, p, perHour }: DriftMetric, spanMs: number): string {
  const kind = KIND_OF[metric];
  const signed = (value: number): string => `${value > 0 ? '+' : ''}${KINDS[kind].text(value)}`;
  const share = kind === 'share' ? '' : ` (${relative > 0 ? '+' : ''}${(relative * 100).toFixed(0)}%)`;
  const [unit, hours] = spanMs < HOUR_MS / 4 ? (['minute', 1 / 60] as const) : (['hour', 1] as const);
  const per = (value: number): string => signed(value * hours);
  const slope = perHour ? `, ${per(perHour.slope)} per ${unit} (95%: ${per(perHour.low)} to ${per(perHour.high)})` : '';
  return `drift: ${metric} ${signed(change)}${share} over the run${slope}, p ${p < 0.0001 ? '< 0.0001' : `= ${p.toFixed(4)}`}`;
}

const LEAST_SAMPLES = 10;

function processTrends({ samples, spanMs }: ProcessSeries): DriftMetric[] {
  return PROCESS_METRICS.flatMap((metric) => {
    const values = samples.flatMap((sample) => sample[metric] ?? []);
    return values.length < LEAST_SAMPLES ? [] : [judge(metric, values, spanMs)];
  });
}

/** A percentile of each part: the median over its slices with latencies. Parts without any are omitted. */
function latencies(parts: readonly SliceSummary[][], pick: (view: SliceSummary) => number): number[] {
  return parts.map((part) => median(part.map(pick).filter((ms) => ms > 0))).filter((ms) => !Number.isNaN(ms));
}

/** Drift of latencies and errors after the warm-up, and of the process metrics of the target. */
export function driftOf(
  measurement: Measurement,
  warmupMs: number,
  processSeries: ProcessSeries = { samples: [], spanMs: 0 },
): NonNullable<ScenarioDetail['drift']> {
  const steady = measurement.views.filter(({ index, draining }) => !draining && index * SLICE_MS >= warmupMs);
  const size = Math.max(1, Math.floor(steady.length / PARTS));
  const parts = chunks(steady, size).filter((part) => part.some(({ answered, failed }) => answered + failed > 0));
  const errors = parts.map((part) => {
    const failed = part.reduce((sum, view) => sum + view.failed, 0);
    return failed / part.reduce((sum, view) => sum + view.failed + view.answered, 0);
  });
  const spanMs = steady.length * SLICE_MS;
  const partsMs = ((parts.at(-1)?.[0]?.index ?? 0) - (parts[0]?.[0]?.index ?? 0)) * SLICE_MS;
  const latencyDrift = (metric: 'p50' | 'p99'): DriftMetric =>
    judge(
      metric,
      latencies(parts, (view) => view[metric]),
      partsMs,
    );
  const metrics = [
    latencyDrift('p50'),
    latencyDrift('p99'),
    judge('errors', errors, partsMs),
    ...processTrends(processSeries),
  ];
  const found = metrics.filter(({ significant }) => significant).map((metric) => sentence(metric, spanMs));
  if (parts.length < LEAST_PARTS) return { metrics, notes: ['drift: the run was too short for a result'] };
  return { metrics, notes: found.length > 0 ? found : ['drift: none significant (Mann–Kendall, p < 0.01)'] };
}
