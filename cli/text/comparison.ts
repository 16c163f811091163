import { latency, outputPaint as paint, rounded } from '../../reports/index.ts';
import type { MetricChange, RunComparison } from '../../load/index.ts';

const COLOURS = {
  better: paint.green,
  worse: paint.red,
  same: paint.dim,
  unsure: paint.yellow,
} as const satisfies Record<MetricChange['verdict'], (text: string) => string>;

const share = (value: number): string => `${Number((value * 100).toPrecision(3))}%`;

const FIGURES = {
  p50: latency,
  p99: latency,
  rate: (perSecond) => `${rounded(perSecond)}/s`,
  errors: share,
} as const satisfies Record<MetricChange['metric'], (value: number) => string>;

function metricLine({ metric, before, after, change, low, high, verdict }: MetricChange): string {
  // The change of the errors is the difference of two shares.
  const unit = metric === 'errors' ? ' points' : '%';
  const signed = (value: number): string => `${value >= 0 ? '+' : ''}${(value * 100).toFixed(1)}${unit}`;
  const [was, is] = [before, after].map(FIGURES[metric]);
  const interval = `${signed(change)} (99% interval: ${signed(low)} to ${signed(high)})`;
  return `  ${metric.padEnd(7)} ${was?.padStart(8)} → ${is?.padEnd(8)} ${interval}  ${COLOURS[verdict](verdict)}`;
}

/** What changed between two load runs, by scenario. A metric that one run has no values of is left out. */
export function comparisonLines(comparisons: readonly RunComparison[]): readonly string[] {
  if (comparisons.length === 0) return ['', 'The runs have no scenario in common.'];
  return comparisons.flatMap(({ scenario, metrics, notes }) => [
    '',
    paint.bold(`${scenario}: comparison`),
    ...metrics.filter(({ change }) => Number.isFinite(change)).map(metricLine),
    ...notes.map((note) => paint.dim(`  ${note}`)),
  ]);
}
