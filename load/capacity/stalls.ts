import { median } from '../compare/statistics.ts';
import { SLICE_MS } from '../plan.ts';
import type { SliceSummary } from '../measurement.ts';

/** Fewer responses than this share of the median while requests are waiting are a stall. */
const SILENT_SHARE = 0.1;
/** With a lower median of responses per slice, a slice without any may be chance. */
const LEAST_ANSWERS = 5;
/** A shorter slice, as a share of others, is that in which a step was stopped: requests that were sent in it had no time. */
const WHOLE = 0.8;
/** Stalls with a smaller distance are one. */
const SAME_MS = 2 * SLICE_MS;

/** A time in which the target answered nothing although requests were waiting. */
export interface Stall {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly forMs: number;
}

/** The stalls in the slices of a step, with what the slices beside them lack of the usual responses. */
export function stallsOf(views: readonly SliceSummary[], startedAt: number): Stall[] {
  const whole = views.filter(({ draining, spanMs }) => !draining && spanMs >= SLICE_MS * WHOLE);
  // The first responses take as long as any.
  const steady = whole.slice(
    Math.max(
      0,
      whole.findIndex(({ answered, failed }) => answered + failed > 0),
    ),
  );
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
  const lacking = new Map(
    steady.map(({ index, answered, failed }) => [
      startedAt + index * SLICE_MS,
      Math.max(0, 1 - (answered + failed) / usual) * SLICE_MS,
    ]),
  );
  return stalls.map(({ atMs, forMs }) => {
    const [before, after] = [atMs - SLICE_MS, atMs + forMs].map((at) => lacking.get(at) ?? 0) as [number, number];
    return { atMs: atMs - before, forMs: before + forMs + after };
  });
}

const SHORTEST_PERIOD_MS = 1000;
const LONGEST_PERIOD_MS = 20_000;
/** Gaps that agree within this share, or within a slice, are a period. */
const AGREEMENT = 0.1;
/** Share of the gaps that have to agree: a pause of another kind is no part of it. */
const LEAST_AGREEING = 0.7;

/** The longest period of stalls that fits, in ms; undefined if they are too few or not regular. Gaps may be multiples: some are missed. */
export function periodOf(stalls: readonly Stall[]): number | undefined {
  const gaps = stalls
    .slice(1)
    .map(({ atMs }, index) => atMs - (stalls[index] as Stall).atMs)
    .filter((gap) => gap >= SHORTEST_PERIOD_MS);
  for (const base of gaps.filter((gap) => gap <= LONGEST_PERIOD_MS).toSorted((a, b) => b - a)) {
    const each = gaps.map((gap) => gap / Math.max(1, Math.round(gap / base)));
    const period = median(each);
    const allowed = Math.max(SLICE_MS, period * AGREEMENT);
    const agreeing = each.filter((one) => Math.abs(one - period) <= allowed);
    if (agreeing.length >= gaps.length * LEAST_AGREEING) return period;
  }
  return undefined;
}

export function stallText(stalls: readonly Stall[]): string {
  const period = periodOf(stalls);
  const long = `about ${Math.round(median(stalls.map(({ forMs }) => forMs)) / 50) * 50} ms`;
  const often = period === undefined ? '' : `, every ${(period / 1000).toFixed(1)} s`;
  return `the target stalled ${stalls.length} times for ${long}${often}, and answered nothing during that time`;
}
