import { describe, expect, it } from 'vitest';
import { seededRandom } from '../engines/schedule.ts';
import { hodgesLehmann, mannWhitney, median, trend, twoSided } from './statistics.ts';

function noise(count: number, seed: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random() + random() + random());
}

describe('statistics', () => {
  it('know the normal distribution', () => {
    expect(twoSided(0)).toBeCloseTo(1, 6);
    expect(twoSided(1.959964)).toBeCloseTo(0.05, 5);
    expect(twoSided(2.575829)).toBeCloseTo(0.01, 5);
  });

  it('compute the median', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('see a shift, and how large it is', () => {
    const a = noise(30, 1);
    const b = noise(30, 2).map((value) => value + 1);
    expect(mannWhitney(a, b)).toBeLessThan(0.001);
    const { estimate, low, high } = hodgesLehmann(a, b);
    expect(Math.abs(estimate - 1)).toBeLessThan(0.3);
    expect(low).toBeLessThan(1);
    expect(high).toBeGreaterThan(1);
  });

  it('have the expected false-positive rate', () => {
    const trials = Array.from({ length: 400 }, (_, seed) => ({
      test: mannWhitney(noise(20, seed * 2), noise(20, seed * 2 + 1)),
      drift: trend(noise(30, seed)).p,
    }));
    expect(trials.filter(({ test }) => test < 0.05).length).toBeLessThan(36);
    expect(trials.filter(({ drift }) => drift < 0.05).length).toBeLessThan(36);
  });

  it('see a trend through noise, and its slope', () => {
    const { p, slope } = trend(noise(40, 3).map((value, index) => value + index * 0.1));
    expect(p).toBeLessThan(0.001);
    expect(slope).toBeCloseTo(0.1, 1);
  });

  it('see nothing where all is the same', () => {
    expect(mannWhitney([1, 1, 1], [1, 1, 1])).toBe(1);
    expect(trend([2, 2, 2, 2, 2]).p).toBeCloseTo(1, 6);
  });
});
