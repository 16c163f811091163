import { describe, expect, it } from 'vitest';
import { countDue, dueMoments, offeredUntil } from './schedule.ts';
import type { Schedule } from './schedule.ts';

function all(schedule: Schedule, index = 0, count = 1, seed = 1): number[] {
  const next = dueMoments(schedule, { index, count }, seed);
  const moments: number[] = [];
  for (let at = next(); at !== Infinity; at = next()) moments.push(at);
  return moments;
}

/** Due moments of all lanes together, in order. */
function joined(schedule: Schedule, lanes: number): number[] {
  const moments = Array.from({ length: lanes }, (_, lane) => all(schedule, lane, lanes)).flat();
  return moments.sort((a, b) => a - b);
}

const gapsOf = (moments: readonly number[]): number[] =>
  moments.slice(1).map((moment, index) => moment - moments[index]!);

/** Kolmogorov–Smirnov distance between gaps and an exponential distribution, in units of its 1% limit. */
function exponentialMisfit(gaps: readonly number[], mean: number): number {
  const sorted = [...gaps].sort((a, b) => a - b);
  const distances = sorted.map((gap, index) => {
    const expected = 1 - Math.exp(-gap / mean);
    return Math.max(expected - index / sorted.length, (index + 1) / sorted.length - expected);
  });
  return Math.max(...distances) / (1.63 / Math.sqrt(sorted.length));
}

/** Variance of the arrivals per window over their mean; 1 in a Poisson process. */
function dispersion(moments: readonly number[], durationMs: number, windowMs: number): number {
  const counts = Array.from({ length: durationMs / windowMs }, () => 0);
  for (const moment of moments) counts[Math.floor(moment / windowMs)]! += 1;
  const mean = moments.length / counts.length;
  return counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length / mean;
}

const steady: Schedule = { arrivals: 'even', segments: [{ durationMs: 2000, from: 100, to: 100 }] };
const ramp: Schedule = {
  arrivals: 'even',
  segments: [
    { durationMs: 1000, from: 0, to: 100 },
    { durationMs: 1000, from: 100, to: 0 },
    { durationMs: 500, from: 0, to: 0 },
  ],
};

describe('a schedule', () => {
  it('has equal intervals at a constant rate', () => {
    const moments = all(steady);
    expect(moments).toHaveLength(200);
    expect(moments[0]).toBeCloseTo(5);
    for (let index = 1; index < moments.length; index += 1)
      expect(moments[index]! - moments[index - 1]!).toBeCloseTo(10);
  });

  it('follows ramps', () => {
    const moments = all(ramp);
    expect(moments).toHaveLength(100);
    for (const at of [200, 500, 1000, 1500, 2400]) {
      expect(Math.abs(moments.filter((moment) => moment <= at).length - offeredUntil(ramp, at))).toBeLessThanOrEqual(1);
    }
  });

  it('interleaves shares to the same schedule', () => {
    const together = [...all(ramp, 0, 3), ...all(ramp, 1, 3), ...all(ramp, 2, 3)].sort((a, b) => a - b);
    expect(together).toEqual(all(ramp));
  });

  it('creates Poisson arrivals, the same for the same seed', () => {
    const schedule: Schedule = { arrivals: 'poisson', segments: [{ durationMs: 100_000, from: 100, to: 100 }] };
    const moments = all(schedule);
    const gaps = gapsOf(moments);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
    expect(Math.abs(moments.length - 10_000)).toBeLessThan(400);
    expect(deviation / mean).toBeGreaterThan(0.95);
    expect(deviation / mean).toBeLessThan(1.05);
    expect(all(schedule)).toEqual(moments);
  });

  const LANES = [1, 3, 12, 100, 1000];
  const poisson: Schedule = { arrivals: 'poisson', segments: [{ durationMs: 60_000, from: 1000, to: 1000 }] };

  it.each(LANES)('stays even over %i lanes', (lanes) => {
    const moments = joined({ arrivals: 'even', segments: [{ durationMs: 10_000, from: 1000, to: 1000 }] }, lanes);
    expect(moments).toHaveLength(10_000);
    expect(Math.max(...gapsOf(moments).map((gap) => Math.abs(gap - 1)))).toBeLessThan(1e-6);
  });

  it.each(LANES)('stays a Poisson process over %i lanes', (lanes) => {
    const moments = joined(poisson, lanes);
    expect(exponentialMisfit(gapsOf(moments), 1)).toBeLessThan(1);
    expect(Math.abs(dispersion(moments, 60_000, 100) - 1)).toBeLessThan(0.17);
    const differences = all(poisson).map((at, index) => Math.abs(at - (moments[index] ?? 0)));
    expect(moments).toHaveLength(differences.length);
    expect(differences.filter((each) => each > 1e-6)).toEqual([]);
  });

  it('has the number of requests that are due, also after a time, which chance takes away from the rate', () => {
    const slow: Schedule = { arrivals: 'poisson', segments: [{ durationMs: 20_000, from: 20, to: 20 }] };
    const share = { index: 1, count: 2 };
    const moments = all(slow, 1, 2, 3);
    expect(countDue(slow, share, 3)).toBe(moments.length);
    expect(countDue(slow, share, 3, 5_000)).toBe(moments.filter((at) => at >= 5_000).length);
  });

  it('would show lanes with the same arrivals', () => {
    const third: Schedule = { ...poisson, segments: [{ durationMs: 60_000, from: 1000 / 3, to: 1000 / 3 }] };
    const copies = Array.from({ length: 3 }, () => all(third)).flat();
    const moments = copies.sort((a, b) => a - b);
    expect(exponentialMisfit(gapsOf(moments), 1)).toBeGreaterThan(10);
    expect(dispersion(moments, 60_000, 100)).toBeGreaterThan(2);
  });
});
