/** A period in which the offered rate changes linearly. */
export interface Segment {
  readonly durationMs: number;
  /** Requests per second. */
  readonly from: number;
  readonly to: number;
}

/** When requests are due. Plain data, because it crosses threads. */
export interface Schedule {
  readonly segments: readonly Segment[];
  /** `even`: equal intervals. `poisson`: independent arrivals, as from many users. */
  readonly arrivals: 'even' | 'poisson';
}

/** The share of one worker: `index` of `count`. */
export interface Share {
  readonly index: number;
  readonly count: number;
}

/** In milliseconds. */
export function scheduleDuration({ segments }: Pick<Schedule, 'segments'>): number {
  return segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
}

/** The segments up to a time in milliseconds from their start. */
export function cutAt(segments: readonly Segment[], atMs: number): Segment[] {
  let left = atMs;
  return segments.flatMap(({ durationMs, from, to }) => {
    const lasts = Math.min(durationMs, left);
    left -= lasts;
    if (lasts <= 0) return [];
    return [{ durationMs: lasts, from, to: lasts < durationMs ? from + ((to - from) * lasts) / durationMs : to }];
  });
}

/** Requests that a segment offers in its first milliseconds. */
function area(segment: Segment, ms: number): number {
  const slope = (segment.to - segment.from) / segment.durationMs;
  return (segment.from * ms + (slope * ms * ms) / 2) / 1000;
}

/** Requests offered by the whole schedule until a time in milliseconds from its start. */
export function offeredUntil(schedule: Schedule, atMs: number): number {
  let left = Math.max(0, atMs);
  let sum = 0;
  for (const segment of schedule.segments) {
    const within = Math.min(left, segment.durationMs);
    if (within > 0) sum += area(segment, within);
    left -= within;
  }
  return sum;
}

/** When `count` requests of a segment are due: the root of a quadratic, in the form that loses no digits where the slope is small. */
function momentOf(segment: Segment, count: number): number {
  const perMs = segment.from / 1000;
  const halfSlope = (segment.to - segment.from) / segment.durationMs / 2000;
  const root = Math.sqrt(Math.max(0, perMs * perMs + 4 * halfSlope * count));
  return count === 0 ? 0 : (2 * count) / (perMs + root);
}

/** Seeded random numbers in [0, 1): Mulberry32 by Tommy Ettinger. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The sums of so many gaps between the arrivals of a Poisson process with one arrival per unit: the gaps are exponential. */
function poissonGaps(seed: number): (arrivals: number) => number {
  const random = seededRandom(seed * 7919);
  return (arrivals) => {
    let sum = 0;
    for (let drawn = 0; drawn < arrivals; drawn += 1) sum -= Math.log(1 - random());
    return sum;
  };
}

/**
 * The due times of one share in order, in milliseconds from the start; Infinity after the last. There is one sequence of arrivals,
 * of which the shares take turns: whatever their number, together they are due at the same times.
 */
export function dueMoments(schedule: Schedule, share: Share, seed = 1): () => number {
  const later = schedule.arrivals === 'even' ? (arrivals: number): number => arrivals : poissonGaps(seed);
  const { segments } = schedule;
  let at = 0;
  let began = 0;
  let before = 0;
  let wanted = schedule.arrivals === 'even' ? -0.5 : 0;
  let next = share.index + 1;
  return () => {
    wanted += later(next);
    next = share.count;
    for (let segment = segments[at]; segment !== undefined; segment = segments[at]) {
      const size = area(segment, segment.durationMs);
      if (wanted - before <= size && size > 0) return began + momentOf(segment, wanted - before);
      before += size;
      began += segment.durationMs;
      at += 1;
    }
    return Infinity;
  };
}

/** Numbers of requests of all shares, in the order of their indices. */
function countAll(schedule: Schedule, count: number, seed: number | undefined, fromMs: number): readonly number[] {
  const next = dueMoments(schedule, { index: 0, count: 1 }, seed);
  const counts = Array.from({ length: count }, () => 0);
  for (let at = next(), turn = 0; at !== Infinity; at = next(), turn = (turn + 1) % count)
    if (at >= fromMs) counts[turn] = (counts[turn] ?? 0) + 1;
  return counts;
}

/** The last result of {@link countAll}: callers ask for one share after the other. */
let counted: { readonly key: string; readonly counts: readonly number[] } = { key: '', counts: [] };

/** Number of requests of a share that are due at `fromMs` or later. */
export function countDue(schedule: Schedule, { index, count }: Share, seed: number | undefined, fromMs = 0): number {
  const key = JSON.stringify([schedule, count, seed, fromMs]);
  if (counted.key !== key) counted = { key, counts: countAll(schedule, count, seed, fromMs) };
  return counted.counts[index] ?? 0;
}
