import { expect, it } from 'vitest';
import { Latencies } from './engines/latencies.ts';
import type { Slice } from './engines/messages.ts';
import { seededRandom } from './engines/schedule.ts';
import { LatencyHistogram } from './histogram.ts';
import { joinSlices } from './join-slices.ts';
import { packSlice, receivedSlice } from './wire-format.ts';
import { testPart, testSlice } from './testing/slices.ts';

const random = seededRandom(11);
const values = Array.from({ length: 30_000 }, () => 10 ** (random() * 6 - 2));

function sliceOf(own: readonly number[], part: string): Slice {
  const latencies = new Latencies();
  for (const value of own) latencies.record(value);
  const pairs = latencies.take();
  const parts = [testPart(own.length, { part, failed: 1, errors: [['503', 1]], latencies: pairs })];
  const busy = own.length / 10_000;
  return testSlice(3, parts, { withheld: 1, late: 2, inFlight: 4, connections: 5, busy, lag: pairs });
}

it('slices of many lanes have together the percentiles of the joined raw values', () => {
  const lanes = Array.from({ length: 30 }, (_, lane) => values.filter((_value, index) => index % 30 === lane));
  const [joined, ...rest] = joinSlices(
    lanes.map((own, lane) => {
      const packed = packSlice(sliceOf(own, lane % 2 === 0 ? 'a' : 'b'));
      return receivedSlice(packed, packed.figures);
    }),
  );
  const raw = new Latencies();
  for (const value of values) raw.record(value);
  const whole = new LatencyHistogram().add(raw.take());
  const sum = new LatencyHistogram();
  for (const { latencies } of joined?.parts ?? []) sum.add(latencies);
  expect(rest).toEqual([]);
  expect(sum.base64()).toBe(whole.base64());
  expect(joined).toMatchObject({ sent: 30_000, late: 60, withheld: 30, inFlight: 120, connections: 150, busy: 0.1 });
  expect(
    joined?.parts.map(({ part, answered, failed, statuses, errors }) => [part, answered, failed, statuses, errors]),
  ).toEqual([
    ['a', 15_000, 15, [[200, 15_000]], [['503', 15]]],
    ['b', 15_000, 15, [[200, 15_000]], [['503', 15]]],
  ]);
});
