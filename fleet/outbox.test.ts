import { expect, it } from 'vitest';
import { Outbox, untilReport } from './outbox.ts';
import type { Tick } from './messages.ts';

it('agents report at four common moments of each second', () => {
  const moments = [0, 1, 2, 3, 4, 7].map((agent) => (5_300 + untilReport(5_300, agent)) % 1000);
  expect(moments).toEqual([0, 250, 500, 750, 0, 750]);
  for (const now of [0, 0.4, 249.9, 250, 999.9, -3])
    expect(untilReport(now, 1)).toSatisfy((ms: number) => ms > 0 && ms <= 1000);
});

it('a report is committed although later ones are on their way, as always with many agents', () => {
  let now = 1000;
  const outbox = new Outbox({ run: 'r', agent: 'a', now: () => now, boundMs: () => 0, publish: async () => {} });
  const seq = outbox.event({ type: 'done', trial: 1, lane: 0, attempt: 'a/1' });
  expect(outbox.isCommitted(seq)).toBe(false);
  for (; now <= 5000; now += 1000) {
    outbox.flush();
    outbox.acknowledge({ committed: {}, committedAt: now - 3000 } as unknown as Tick);
    expect(outbox.isCommitted(seq)).toBe(now >= 4000);
  }
  expect(outbox.isCommitted(seq + 4)).toBe(false);
});
