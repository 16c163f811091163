import { expect, it } from 'vitest';
import { untilReport } from './outbox.ts';

it('agents report at four common moments of each second', () => {
  const moments = [0, 1, 2, 3, 4, 7].map((agent) => (5_300 + untilReport(5_300, agent)) % 1000);
  expect(moments).toEqual([0, 250, 500, 750, 0, 750]);
  for (const now of [0, 0.4, 249.9, 250, 999.9, -3])
    expect(untilReport(now, 1)).toSatisfy((ms: number) => ms > 0 && ms <= 1000);
});
