import type { PartsComparison } from '../../spec/index.ts';
import type { PartTotals } from '../tally.ts';
import { hodgesLehmann, mannWhitney, median } from './statistics.ts';

const SIGNIFICANT = 0.01;
const LEAST_CHANGE = 0.05;

/** Compares the latencies of the first two parts, which were sent interleaved; undefined if there are too few. */
export function partsCompared(parts: readonly PartTotals[]): PartsComparison | undefined {
  const [first, second] = parts;
  if (!first || !second || first.medians.length < 5 || second.medians.length < 5) return undefined;
  const p = mannWhitney(first.medians, second.medians);
  const relative = hodgesLehmann(first.medians, second.medians).estimate / median(first.medians);
  const differ = p < SIGNIFICANT && Math.abs(relative) > LEAST_CHANGE;
  const how = `${Math.abs(relative * 100).toFixed(0)}% ${relative > 0 ? 'slower' : 'faster'}`;
  const verdict = differ
    ? `${second.label} is ${how} than ${first.label}`
    : `${first.label} and ${second.label} take the same time`;
  return { labels: [first.label, second.label], p, relative, differ, note: `${verdict} (p = ${p.toFixed(3)})` };
}
