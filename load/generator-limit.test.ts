import { expect, it } from 'vitest';
import type { ScenarioRecord } from '../spec/index.ts';
import { Latencies } from './engines/latencies.ts';
import { decidingLimit } from './generator-limit.ts';
import type { Plan } from './plan.ts';
import { measuredIn, testPart, testSlice } from './testing/slices.ts';
import { parseThresholds } from './thresholds.ts';

/** The limit that decides a threshold with this value; one of 2,000 requests was sent `lagMs` late. */
function limitOf(expression: string, value: number, lagMs: number): string | undefined {
  const lag = new Latencies();
  for (let request = 0; request < 1999; request += 1) lag.record(0.2);
  lag.record(lagMs);
  const trial = measuredIn([testSlice(0, [testPart(2000)], { lag: lag.take() })]);
  const thresholds = parseThresholds([expression]);
  const record = { thresholds: thresholds.map(() => ({ expression, value, held: false })), errors: {}, requests: 2000 };
  return decidingLimit(record as unknown as ScenarioRecord, trial, thresholds, {} as Plan);
}

it('a rare stall of the generator decides a threshold that only rare latencies miss', () => {
  expect(limitOf('max<100ms', 152, 150)).toMatch(/^generator lag max 15\d\.\d ms, allowed 10\.0 ms$/);
  expect(limitOf('p99.99<100ms', 152, 150)).toContain('generator lag p99.99');
  expect(limitOf('max<100ms', 300, 150)).toBeUndefined();
  expect(limitOf('p99<100ms', 152, 150)).toBeUndefined();
  expect(limitOf('max<100ms', 152, 9)).toBeUndefined();
});

it('a little lag does not decide a threshold on the rate, a lot does', () => {
  const rateOf = (lagMs: number, value: number, busy = 0.1): string | undefined => {
    const lag = new Latencies();
    for (let request = 0; request < 100; request += 1) lag.record(lagMs);
    const slices = [0, 1, 2, 3].map((index) => testSlice(index, [testPart(25)], { lag: lag.take(), busy }));
    const record = { thresholds: [{ value, held: false }], errors: {}, requests: 100 };
    return decidingLimit(
      record as unknown as ScenarioRecord,
      measuredIn(slices),
      parseThresholds(['rate>150']),
      {} as Plan,
    );
  };
  expect(rateOf(4, 100)).toBeUndefined();
  expect(rateOf(400, 100)).toMatch(/^generator lag p99 /);
  expect(rateOf(4, 149.7)).toMatch(/^generator lag p99 /);
  expect(rateOf(4, 100, 0.99)).toMatch(/^generator lag p99 /);
});
