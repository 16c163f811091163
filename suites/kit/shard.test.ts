import { expect, test } from 'vitest';
import { takesShare } from './shard.ts';

test('every test goes to one shard, evenly by cost, the same for everybody', () => {
  const costs = Array.from({ length: 60 }, (_, at) => 10 + (at % 7) * 10);
  const split = (total: number): number[] => {
    const shares = Array.from({ length: total }, () => 0);
    const seen = costs.map((cost) => {
      const loads = [...shares];
      const least = loads.indexOf(Math.min(...loads));
      shares[least] = (shares[least] ?? 0) + cost;
      return least;
    });
    costs.forEach((cost, at) => {
      expect(takesShare({ index: (seen[at] ?? 0) + 1, total }, cost)).toBe(true);
    });
    return shares;
  };
  const shares = split(3);
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(70);
  expect(takesShare(undefined, 10)).toBe(true);
});
