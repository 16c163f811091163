import { describe, expect, it } from 'vitest';
import { testTraffic } from '../testing/traffic.ts';
import { mostWorkers, Picker, turnsOf } from './traffic.ts';

describe('traffic', () => {
  it('makes every request unique across workers', () => {
    const ids = [0, 1].flatMap((worker) => {
      const picker = new Picker(testTraffic({ count: 7 }), worker, 2);
      return Array.from({ length: 3000 }, () => /"id":"(\w{12})"/.exec(picker.next().bytes.toString())?.[1]);
    });
    expect(new Set(ids).size).toBe(6000);
    expect(ids).not.toContain(undefined);
  });

  it('tells the workers of a fleet apart', () => {
    const wide = { ...testTraffic({ count: 1 }), fieldWidth: 14 };
    const ids = [0, 1, 36, 37, 1296, 46_655].map((worker) => new Picker(wide, worker, 50_000).next().bytes.toString());
    expect(new Set(ids).size).toBe(6);
    expect([mostWorkers(wide), mostWorkers(testTraffic())]).toEqual([46_656, 36]);
  });

  it('uses the requests of a part in order', () => {
    const picker = new Picker(testTraffic({ count: 3 }), 0, 1);
    expect(Array.from({ length: 7 }, () => picker.next().index)).toEqual([0, 1, 2, 0, 1, 2, 0]);
  });

  it('mixes parts by weight, evenly spread', () => {
    const turns = [
      ...turnsOf([
        { label: 'a', weight: 7 },
        { label: 'b', weight: 3 },
      ]),
    ];
    expect(turns.filter((part) => part === 0)).toHaveLength(7);
    expect(turns.join('')).not.toContain('0000');
  });

  it.each([
    [0.9, 0.1],
    [9000, 1000],
  ])('mixes parts by weights of %d and %d', (a, b) => {
    const turns = [
      ...turnsOf([
        { label: 'a', weight: a },
        { label: 'b', weight: b },
      ]),
    ];
    expect(turns.filter((part) => part === 1).length / turns.length).toBeCloseTo(0.1, 6);
  });
});
