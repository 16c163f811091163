import { expect, test, vi } from 'vitest';
import type { TestContext } from '../../kit/context.ts';
import { othersSetTheOrder } from './stability.ts';

const pauses = vi.hoisted((): number[] => []);
vi.mock('node:timers/promises', () => ({ setTimeout: async (ms: number) => void pauses.push(ms) }));

test.each([
  ['for a short time', 100, 50, 480],
  ['for three times as long as the scenario took', 100, 1_000, 3_000],
  ['for a limited time after a long scenario', 100, 9_000, 6_000],
  ['for the settle time, however long it is', 12_000, 9_000, 12_000],
])('whether others set the order is watched %s', async (_what, settleMs, tookMs, expected) => {
  const t = {
    settleMs,
    contract: { builtIn: true, operation: (id: string) => ({ id }) },
    send: async () => ({ response: { status: 200, json: [] } }),
    isOwn: () => true,
  } as unknown as TestContext;
  pauses.length = 0;
  expect(await othersSetTheOrder(t, tookMs)).toBe(false);
  expect(pauses[0]).toBe(expected / 12);
});
