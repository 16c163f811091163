import { expect, it } from 'vitest';
import { duration, latency, measured, responseLatency, wholeSeconds } from './numbers.ts';

it('never rounds up to a full unit of the next one', () => {
  expect([999.4, 999.6, 59_940, 59_960, 119_600].map(duration)).toEqual([
    '999 ms',
    '1.0 s',
    '59.9 s',
    '1 min 0 s',
    '2 min 0 s',
  ]);
  expect([999.4, 999.6].map(latency)).toEqual(['999 ms', '1.00 s']);
  expect([0.2, 59, 59.2, 185].map(wholeSeconds)).toEqual(['1 s', '59 s', '1 min 0 s', '3 min 5 s']);
});

it('shows no latency where nothing was answered', () => {
  expect([0, 0.5].map(responseLatency)).toEqual(['–', '0.50 ms']);
  expect([measured({ metric: 'p99', value: 0 }), measured({ metric: 'errors', value: 0 })]).toEqual(['–', '0%']);
});
