import { describe, expect, it } from 'vitest';
import { dueMoments, offeredUntil } from './schedule.ts';
import type { Schedule } from './schedule.ts';

function all(schedule: Schedule, index = 0, count = 1): number[] {
  const next = dueMoments(schedule, { index, count });
  const moments: number[] = [];
  for (let at = next(); at !== Infinity; at = next()) moments.push(at);
  return moments;
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
    const gaps = moments.slice(1).map((moment, index) => moment - moments[index]!);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
    expect(Math.abs(moments.length - 10_000)).toBeLessThan(400);
    expect(deviation / mean).toBeGreaterThan(0.95);
    expect(deviation / mean).toBeLessThan(1.05);
    expect(all(schedule)).toEqual(moments);
  });
});
