import { expect, it } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { Statistics } from './statistics.ts';

const answered = (status: number): Exchange =>
  ({ operation: 'GET /items', attempts: 1, response: { status, body: Buffer.alloc(0) } }) as unknown as Exchange;

it('knows in which share of the time every response was 429', () => {
  const statistics = new Statistics();
  statistics.countRepeat('GET /items', 'status-429');
  expect(statistics.snapshot().refusedShare).toBeGreaterThan(0);
  statistics.countExchange(answered(200));
  expect(statistics.snapshot()).not.toHaveProperty('refusedShare');
  statistics.countExchange(answered(429));
  expect(statistics.snapshot().refusedShare).toBeGreaterThan(0);
});
