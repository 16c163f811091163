import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { knownScenario } from '../testing/known-scenario.ts';
import type { ReadyScenario } from '../prepare.ts';
import { Budget } from './budget.ts';

function ready(of: Partial<ReadyScenario['prepared']>): ReadyScenario {
  return { scenario: knownScenario({}), runId: 'r', traffic: {} as never, prepared: { requests: [], ...of } };
}

it('keeps the time that removing what the set-up created takes, and that of what the steps will create', async () => {
  const startedAt = performance.now() - 2000;
  const teardown = async (): Promise<void> => {};
  expect(new Budget(10_000, startedAt, ready({})).leftMs).toBeGreaterThan(7500);
  const budget = new Budget(10_000, startedAt, ready({ teardown }));
  expect(budget.leftMs).toBeLessThan(6000);
  expect(budget.withRemoval(1000, 100)).toBe(1000);
  await budget.remove(ready({ removeSent: async () => sleep(50, 10) }), {});
  expect(budget.removingMs).toBeGreaterThan(45);
  // 100 requests, each of which takes 5 ms or more to remove.
  expect(budget.withRemoval(1000, 100)).toBeGreaterThan(1450);
});
