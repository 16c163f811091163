import { describe, expect, it } from 'vitest';
import { KneeSearch } from './knee-search.ts';
import { seededRandom } from '../engines/schedule.ts';

interface Model {
  /** Capacity of the target at a step. */
  readonly capacity: (step: number) => number;
  readonly guess: number;
  readonly isRough?: boolean;
  readonly ceiling?: number;
  /** Probability that a step within 3% of the capacity is judged wrongly. */
  readonly noise?: number;
  readonly seed?: number;
  /** Responses per second of a target that is overloaded; without it: its capacity. */
  readonly answered?: number;
  readonly isFragile?: boolean;
}

function search({
  capacity,
  guess,
  isRough = false,
  ceiling = 1e6,
  noise = 0,
  seed = 1,
  answered,
  isFragile = false,
}: Model): { knee: KneeSearch; steps: number; highest: number } {
  const random = seededRandom(seed);
  const knee = new KneeSearch({ guess, isRough, floor: 1, ceiling });
  knee.isFragile = isFragile;
  let steps = 0;
  let highest = 0;
  for (let next = knee.next(); next && steps < 100; next = knee.next()) {
    highest = Math.max(highest, next.rate);
    const limit = capacity(steps);
    const wrong = Math.abs(next.rate / limit - 1) < 0.03 && random() < noise;
    const held = next.rate <= limit !== wrong;
    knee.tell(next, { rate: held ? next.rate : (answered ?? limit), held, saturated: !held, refuses: false });
    steps += 1;
  }
  return { knee, steps, highest };
}

describe('the search for the knee', () => {
  it.each([
    [1000, 1000],
    [1000, 300],
    [1000, 5000],
    [37, 40],
    [50_000, 20_000],
  ])('finds %i from a guess of %i', (capacity, guess) => {
    const { knee, steps } = search({ capacity: () => capacity, guess });
    expect(knee.confirmed).toBe(true);
    expect(knee.low).toBeLessThanOrEqual(capacity);
    expect(knee.low).toBeGreaterThan(capacity * 0.97);
    expect(knee.high).toBeGreaterThan(capacity);
    expect(steps).toBeLessThan(18);
  });

  it('follows a target whose capacity falls', () => {
    const { knee } = search({ capacity: (step) => Math.max(600, 1000 - step * 60), guess: 1000 });
    expect(knee.low).toBeLessThanOrEqual(600);
    expect(knee.low).toBeGreaterThan(570);
  });

  it('goes to what a rate limit accepts at once, from far above it', () => {
    const knee = new KneeSearch({ guess: 50_000, isRough: false, floor: 1, ceiling: 1e6 });
    const rates: number[] = [];
    for (let next = knee.next(); next && rates.length < 100; next = knee.next()) {
      rates.push(next.rate);
      const held = next.rate <= 200;
      knee.tell(next, { rate: Math.min(next.rate, 198), held, saturated: !held, refuses: !held });
    }
    expect(rates[1]).toBeCloseTo(195, 0);
    expect(knee).toMatchObject({ confirmed: true });
    expect(knee.low).toBeGreaterThan(194);
    expect(rates.length).toBeLessThan(15);
  });

  it('goes far down where a few requests are refused at any rate', () => {
    const knee = new KneeSearch({ guess: 2000, isRough: false, floor: 1, ceiling: 1e6 });
    const rates: number[] = [];
    for (let next = knee.next(); next && rates.length < 100; next = knee.next()) {
      rates.push(next.rate);
      knee.tell(next, { rate: next.rate * 0.99, held: false, saturated: true, refuses: true });
    }
    expect(rates.slice(0, 3)).toEqual([1600, 560, 196]);
    expect(rates.length).toBeLessThan(10);
  });

  it.each([4, 70])('finds the rate of a target that answers %i per second when it is overloaded', (answered) => {
    const { knee, steps } = search({ capacity: () => 250, guess: 990, answered });
    expect(knee).toMatchObject({ confirmed: true });
    expect(knee.low).toBeGreaterThan(242);
    expect(steps).toBeLessThan(15);
  });

  it('rises in small steps where an overload is costly', () => {
    const { knee, steps, highest } = search({ capacity: () => 200, guess: 40, answered: 30, isFragile: true });
    expect(knee).toMatchObject({ confirmed: true });
    expect(knee.low).toBeGreaterThan(190);
    expect(highest).toBeLessThan(200 * 1.3);
    expect(steps).toBeLessThan(20);
  });

  it('rises fast from a guess that may be far too low', () => {
    const stepsTo = (isRough: boolean): number => search({ capacity: () => 5000, guess: 50, isRough }).steps;
    expect(stepsTo(true)).toBeLessThan(stepsTo(false) - 3);
  });

  it('stops at the ceiling', () => {
    const { knee } = search({ capacity: () => 5000, guess: 4000, ceiling: 3000 });
    expect(knee).toMatchObject({ low: 3000, high: Infinity, confirmed: true });
  });

  it('returns 0 if no rate succeeds', () => {
    const { knee, steps } = search({ capacity: () => 0, guess: 100 });
    expect(knee.low).toBe(0);
    expect(steps).toBeLessThan(25);
  });

  it('confirms no rate that met the thresholds once, where the steps above and below it fail', () => {
    for (const accident of [1, 2, 3, 4]) {
      const { knee, steps } = search({ capacity: (step) => (step === accident ? 1000 : 0.5), guess: 700 });
      expect(knee).toMatchObject({ low: 0, confirmed: false });
      expect(steps).toBeLessThan(40);
    }
  });

  it('is robust against accidental failures far below the capacity', () => {
    for (const accident of [0, 1, 2, 3, 4]) {
      const { knee } = search({ capacity: (step) => (step === accident ? 300 : 1000), guess: 700 });
      expect(knee.low).toBeGreaterThan(970);
    }
  });

  it('is robust against wrong results near the capacity', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const { knee } = search({ capacity: () => 1000, guess: 900, noise: 0.2, seed });
      expect(knee.low).toBeGreaterThan(900);
      expect(knee.low).toBeLessThan(1050);
    }
  });
});
