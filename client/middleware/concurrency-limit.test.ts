import { expect, test } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const answered = (durationMs: number, attempts = 1): Exchange => ({
  id: 'x1',
  operation: 'GET /',
  form: '',
  identity: 'full',
  request: { method: 'GET', url: '/', headers: {} },
  response: { status: 200, headers: [], body: new Uint8Array(), truncated: false },
  sentAt: 0,
  durationMs,
  attempts,
});

function feed(limit: ConcurrencyLimit, durationOf: () => number, attempts = 1): number {
  for (let count = 0; count < 3000; count += 1) limit.note(answered(durationOf(), attempts));
  return limit.limit;
}

test('a target that is near gets no more concurrency', () => {
  expect(feed(new ConcurrencyLimit(16, 48), () => 5)).toBe(16);
});

test('a target that is slow because it is far away gets more concurrency, up to the highest limit', () => {
  expect(feed(new ConcurrencyLimit(16, 48), () => 150)).toBe(48);
});

test('a target that more concurrency makes slower keeps its limit', () => {
  const limit = new ConcurrencyLimit(16, 48);
  expect(feed(limit, () => limit.limit * 10)).toBe(16);
});

test('a target whose requests are repeated keeps its limit', () => {
  expect(feed(new ConcurrencyLimit(16, 48), () => 150, 2)).toBe(16);
});
