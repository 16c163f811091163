import { describe, expect, it } from 'vitest';
import type { SliceSummary } from '../measurement.ts';
import { testSummary } from '../testing/slices.ts';
import { periodOf, stallsOf, stallText } from './stalls.ts';

const view = (index: number, answered: number): SliceSummary => testSummary(index, { answered, inFlight: 40 });

const stalled = Array.from({ length: 60 }, (_, index) => view(index, index % 20 === 7 || index % 20 === 8 ? 0 : 100));

describe('stalls', () => {
  it('are times without answers while requests wait, with their period', () => {
    const stalls = stallsOf(stalled, 1000);
    expect(stalls.map(({ atMs, forMs }) => [atMs, forMs])).toEqual([
      [2750, 500],
      [7750, 500],
      [12_750, 500],
    ]);
    expect(periodOf(stalls)).toBe(5000);
    expect(stallText(stalls)).toContain('3 times for about 500 ms, every 5.0 s');
  });

  it('are not the time after a step was stopped', () => {
    const cut = { ...view(10, 0), spanMs: 30 };
    expect(stallsOf([...stalled.slice(6, 17), cut], 0)).toHaveLength(1);
    expect(stallsOf([...stalled.slice(9, 17), cut], 0)).toEqual([]);
  });

  it('include the parts of slices in which they begin and end', () => {
    const answers = [100, 100, 60, 0, 40, 130, 100, 100];
    const views = answers.map((answered, index) => view(index, answered));
    expect(stallsOf(views, 0)).toEqual([{ atMs: 650, forMs: 500 }]);
  });

  it('are not seen where nothing waits, or where answers are rare anyway', () => {
    const idle = stalled.map((one) => ({ ...one, inFlight: 0 }));
    const rare = stalled.map((one) => ({ ...one, answered: one.answered / 50 }));
    expect([stallsOf(idle, 0), stallsOf(rare, 0)]).toEqual([[], []]);
  });

  it('have a period also where some were missed, and none where they come at random', () => {
    const at = (moments: readonly number[]) => moments.map((atMs) => ({ atMs, forMs: 500 }));
    expect(periodOf(at([0, 5000, 20_000, 25_250]))).toBeCloseTo(5000, -3);
    expect(periodOf(at([0, 5000, 12_600]))).toBeUndefined();
    expect(periodOf(at([0]))).toBeUndefined();
    expect(periodOf(at([0, 5000, 6700, 10_000, 15_000, 20_000, 25_000, 40_000, 45_000]))).toBe(5000);
  });
});
