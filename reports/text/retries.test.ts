import { expect, test } from 'vitest';
import { retryLines } from './retries.ts';

const NOTHING = { staleLooks: 0, operations: [] };

test('nothing was tolerated', () => {
  expect(retryLines({ late: NOTHING, options: {} })).toEqual([]);
});

test('what waiting and repeating hid is told by operation, with its reason', () => {
  const late = { staleLooks: 5, operations: [{ operation: 'GET /a', times: 2, latestMs: 640 }] };
  const counts = { exchanges: 9, attempts: 12, waitedMs: { 'status-503': 40 } };
  const statistics = {
    ...counts,
    failures: 0,
    responseBytes: 0,
    repeats: { 'status-503': 2, reset: 1 },
    operations: [
      { ...counts, operation: 'GET /a', repeats: { 'status-503': 2 } },
      { ...counts, operation: 'POST /b', repeats: { reset: 1 } },
    ],
  };
  expect(retryLines({ late, statistics, options: { settleMs: 640 } })).toEqual([
    '2 changes became visible late, up to 640 ms; 5 reads returned stale data (changes by other users look the same)',
    'GET /a: 2 times, up to 640 ms',
    'requests repeated after 503 ×2, reset ×1',
    'waiting times, added up over all requests: 40 ms after 503',
    'GET /a: 503 ×2',
    'POST /b: reset ×1',
  ]);
});

test('a change that took longer than the run waits is a reason to wait longer', () => {
  const late = { staleLooks: 1, operations: [{ operation: 'GET /a', times: 1, latestMs: 1600 }] };
  expect(retryLines({ late, options: { settleMs: 1000 } })).toContain(
    'longer than --settle (1.0 s): findings about changes may be too early; run again with --settle 4s',
  );
});
