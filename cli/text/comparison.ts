import pc from 'picocolors';
import type { MetricChange, RunComparison } from '../../load/index.ts';

const COLOURS = { better: pc.green, worse: pc.red, same: pc.dim, unsure: pc.yellow } as const satisfies Record<
  MetricChange['verdict'],
  (text: string) => string
>;

const figure = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
const percent = (value: number): string => `${value >= 0 ? '+' : ''}${(value * 100).toFixed(1)}%`;

function metricLine({ metric, before, after, change, low, high, verdict }: MetricChange): string {
  const interval = `${percent(change)} (99%: ${percent(low)} to ${percent(high)})`;
  return `  ${metric.padEnd(7)} ${figure(before).padStart(8)} → ${figure(after).padEnd(8)} ${interval}  ${COLOURS[verdict](verdict)}`;
}

/** What changed between two runs of load, a scenario after the other. */
export function comparisonLines(comparisons: readonly RunComparison[]): readonly string[] {
  if (comparisons.length === 0) return ['', 'The runs have no scenario in common.'];
  return comparisons.flatMap(({ scenario, metrics, notes }) => [
    '',
    pc.bold(`${scenario}: comparison`),
    ...metrics.map(metricLine),
    ...notes.map((note) => pc.dim(`  ${note}`)),
  ]);
}
