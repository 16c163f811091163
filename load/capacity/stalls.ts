import { median } from '../compare/statistics.ts';
import { SLICE_MS } from '../plan.ts';
import type { SliceSummary } from '../measurement.ts';

/** Fewer responses than this share of the median while requests are waiting are a stall. */
const SILENT_SHARE = 0.1;
/** With a lower median of responses per slice, a slice without any may be chance. */
const LEAST_ANSWERS = 5;
/** Stalls with a smaller distance are one. */
const SAME_MS = 2 * SLICE_MS;

/** A time in which the target answered nothing although requests were waiting. */
export interface Stall {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly forMs: number;
}

export function stallsOf(views: readonly SliceSummary[], startedAt: number): Stall[] {
  const steady = views.filter(({ draining }) => !draining);
  const usual = median(steady.map(({ answered }) => answered));
  if (!(usual >= LEAST_ANSWERS)) return [];
  const stalls: Stall[] = [];
  for (const { index, answered, failed, inFlight, backlog } of steady) {
    if (answered + failed > usual * SILENT_SHARE || inFlight + backlog < LEAST_ANSWERS) continue;
    const atMs = startedAt + index * SLICE_MS;
    const last = stalls.at(-1);
    if (last !== undefined && atMs - (last.atMs + last.forMs) < SAME_MS - SLICE_MS / 2)
      stalls[stalls.length - 1] = { atMs: last.atMs, forMs: atMs + SLICE_MS - last.atMs };
    else stalls.push({ atMs, forMs: SLICE_MS });
  }
  return stalls;
}

const SHORTEST_PERIOD_MS = 1000;
const LONGEST_PERIOD_MS = 20_000;
/** Gaps that agree within this share, or within a slice, are a period. */
const AGREEMENT = 0.1;

/**
 * The period of stalls in milliseconds; undefined if they are not regular, or too few. Some stalls fall between the steps, so
 * that gaps may be multiples of the period.
 */
export function periodOf(stalls: readonly Stall[]): number | undefined {
  const gaps = stalls
    .slice(1)
    .map(({ atMs }, index) => atMs - (stalls[index] as Stall).atMs)
    .filter((gap) => gap >= SHORTEST_PERIOD_MS);
  const least = Math.min(...gaps);
  if (gaps.length === 0 || least > LONGEST_PERIOD_MS) return undefined;
  const each = gaps.map((gap) => gap / Math.max(1, Math.round(gap / least)));
  const period = median(each);
  const allowed = Math.max(SLICE_MS, period * AGREEMENT);
  return each.every((one) => Math.abs(one - period) <= allowed) ? period : undefined;
}

export function stallText(stalls: readonly Stall[]): string {
  const period = periodOf(stalls);
  const long = `about ${Math.round(median(stalls.map(({ forMs }) => forMs)) / 50) * 50} ms`;
  const often = period === undefined ? '' : `, every ${(period / 1000).toFixed(1)} s`;
  return `the target stalled ${stalls.length} times for ${long}${often} and answered nothing`;
}
