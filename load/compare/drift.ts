import type { DriftMetric, ScenarioDetail } from '../../spec/index.ts';
import type { Measurement, SliceSummary } from '../measurement.ts';
import { median, trend } from './statistics.ts';

const BUCKETS = 30;
const SIGNIFICANT = 0.01;
/** Smaller changes over a run are not reported. */
const LEAST_CHANGE = 0.1;

function buckets(views: readonly SliceSummary[]): SliceSummary[][] {
  const size = Math.max(1, Math.floor(views.length / BUCKETS));
  const count = Math.floor(views.length / size);
  return Array.from({ length: count }, (_, index) => views.slice(index * size, (index + 1) * size));
}

function judge(metric: DriftMetric['metric'], values: readonly number[]): DriftMetric {
  const { p, slope } = trend(values);
  const change = slope * (values.length - 1);
  const level = median(values);
  const relative = metric === 'errors' ? change : level > 0 ? change / level : 0;
  const least = metric === 'errors' ? 0.001 : LEAST_CHANGE;
  return { metric, p, change, relative, significant: p < SIGNIFICANT && Math.abs(relative) > least };
}

function sentence({ metric, change, relative, p }: DriftMetric): string {
  const sign = change > 0 ? '+' : '';
  const amount =
    metric === 'errors'
      ? `${sign}${(change * 100).toFixed(2)} percentage points`
      : `${sign}${change.toFixed(1)} ms (${sign}${(relative * 100).toFixed(0)}%)`;
  return `drift: ${metric} ${amount} over the run, p = ${p < 0.0001 ? '<0.0001' : p.toFixed(4)}`;
}

/** Looks for drift of latency and errors in the steady time, over about thirty equal parts of it. */
export function driftOf(
  measurement: Measurement,
  warmupMs: number,
  sliceMs = 250,
): NonNullable<ScenarioDetail['drift']> {
  const steady = measurement.views.filter(({ index, draining }) => !draining && index * sliceMs >= warmupMs);
  const parts = buckets(steady).filter((part) => part.some(({ answered, failed }) => answered + failed > 0));
  const errors = parts.map((part) => {
    const failed = part.reduce((sum, view) => sum + view.failed, 0);
    return failed / part.reduce((sum, view) => sum + view.failed + view.answered, 0);
  });
  const metrics = [
    judge(
      'p50',
      parts.map((part) => median(part.map(({ p50 }) => p50))),
    ),
    judge(
      'p99',
      parts.map((part) => median(part.map(({ p99 }) => p99))),
    ),
    judge('errors', errors),
  ];
  const found = metrics.filter(({ significant }) => significant).map(sentence);
  const enough = parts.length >= 10;
  return {
    metrics,
    notes: !enough
      ? ['drift: the run was too short for a result']
      : found.length > 0
        ? found
        : ['drift: none significant (Mann–Kendall, p < 0.01)'],
  };
}
