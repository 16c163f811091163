import { expect, test } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const answered = (durationMs: number, attempts: number, operation: string): Exchange => ({
  id: 'x1',
  operation,
  form: '',
  identity: 'full',
  request: { method: 'GET', url: '/', headers: {} },
  response: { status: 200, headers: [], body: new Uint8Array(), truncated: false },
  sentAt: 0,
  durationMs,
  attempts,
});

interface Target {
  readonly durationOf: (limit: number, operation: string) => number;
  readonly attempts?: number;
  readonly isBusy?: boolean;
}

/** The highest and the last limit that a target gets. */
function limits({ durationOf, attempts = 1, isBusy = true }: Target): {
  readonly highest: number;
  readonly last: number;
} {
  const limit = new ConcurrencyLimit(8, 64);
  let highest = 0;
  for (let count = 0; count < 5000; count += 1) {
    const operation = count % 10 === 0 ? 'GET /slow' : 'GET /fast';
    limit.note(answered(durationOf(limit.limit, operation), attempts, operation), isBusy);
    highest = Math.max(highest, limit.limit);
  }
  return { highest, last: limit.limit };
}

test('a target that is slow because it is far away gets the highest limit', () => {
  expect(limits({ durationOf: () => 150 }).last).toBe(64);
});

test('operations that always take long do not keep the limit low', () => {
  expect(limits({ durationOf: (_, operation) => (operation === 'GET /slow' ? 2000 : 60) }).last).toBe(64);
});

test('the limit stays about where responses take 1.5 times as long', () => {
  // Twenty at once are handled in 100 ms; more only wait for each other.
  const { highest } = limits({ durationOf: (limit) => 100 * Math.max(1, limit / 20) });
  expect(highest).toBeGreaterThan(20);
  expect(highest).toBeLessThanOrEqual(40);
});

test('a limit that keeps nobody waiting does not grow', () => {
  expect(limits({ durationOf: () => 150, isBusy: false }).last).toBe(8);
});

test('responses that had to be repeated lower the limit to the lowest', () => {
  expect(limits({ durationOf: () => 150, attempts: 2 }).last).toBe(2);
});

test('a cap holds from the next request on, until it is lifted', async () => {
  const limit = new ConcurrencyLimit(8, 64);
  await Promise.all([limit.enter(), limit.enter(), limit.enter()]);
  limit.cap(1);
  let entered = false;
  const next = limit.enter().then(() => (entered = true));
  for (let count = 0; count < 3; count += 1) {
    expect(entered).toBe(false);
    limit.leave();
    await Promise.resolve();
  }
  await next;
  expect(limit.limit).toBe(1);
  limit.cap(Number.POSITIVE_INFINITY);
  expect(limit.limit).toBe(8);
});

test('a limit with a given number of connections never changes', () => {
  const limit = new ConcurrencyLimit(16, 16);
  for (let count = 0; count < 1000; count += 1) limit.note(answered(count, 2, 'GET /'), true);
  expect(limit.limit).toBe(16);
});
