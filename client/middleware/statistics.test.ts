import { expect, it, vi } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import type { RequestSpec } from '../request-spec.ts';
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

it('notes the requests that have had no response for seconds, the longest first', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const statistics = new Statistics();
  const send = (id: string, json?: RequestSpec['json'], response: Promise<unknown> = new Promise(() => undefined)) =>
    statistics.follow({ operation: { id }, json } as unknown as RequestSpec, response);
  const answeredLate = send('GET /late', undefined, new Promise((resolve) => setTimeout(resolve, 1)));
  void send('POST /items', ['secret']);
  vi.advanceTimersByTime(3_000);
  void send('GET /items');
  vi.advanceTimersByTime(5_000);
  void send('GET /soon');
  statistics.noteUnanswered((text) => text);
  expect(statistics.snapshot().hasStopped).toBe(true);
  await answeredLate;
  statistics.noteUnanswered((text) => text.replace('secret', '$TOKEN'));
  vi.useRealTimers();
  expect(statistics.snapshot()).not.toHaveProperty('hasStopped');
  expect(statistics.snapshot().unanswered).toEqual([
    { operation: 'POST /items', body: '["$TOKEN"]', waitedMs: 8_000 },
    { operation: 'GET /items', waitedMs: 5_000 },
  ]);
});
