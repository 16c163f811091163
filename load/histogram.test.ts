import { build, decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { expect, it } from 'vitest';
import { indexOf, inMicroseconds, Latencies } from './engines/latencies.ts';
import { seededRandom } from './engines/schedule.ts';
import { LatencyHistogram } from './histogram.ts';

it('transfers counts from a worker to an HdrHistogram exactly', () => {
  const recorder = new Latencies();
  const reference = new LatencyHistogram();
  const values = Array.from({ length: 4000 }, (_, index) => Math.round(1.004 ** index));
  for (const value of values) {
    recorder.record(value / 1000);
    if (value < 2 ** 31 - 1) reference.add(Float64Array.of(indexOf(value), 1));
  }
  const carried = new LatencyHistogram().add(recorder.take());
  const within = values.filter((value) => value < 2 ** 31 - 1).length;
  expect(carried.count).toBe(4000);
  expect(carried.percentile((within / 8000) * 100)).toBe(reference.percentile(50));
});

it('returns recorded values once', () => {
  const recorder = new Latencies();
  recorder.record(1.5);
  expect([...recorder.take()]).toEqual([indexOf(1500), 1]);
  expect([...recorder.take()]).toEqual([]);
});

it('tells latencies in microseconds', () => {
  const recorder = new Latencies();
  for (const ms of [0.25, 20, 20, 450]) recorder.record(ms);
  const [first, , second, count, last = 0] = inMicroseconds(recorder.take());
  expect([first, second, count]).toEqual([250, 20_007.5, 2]);
  expect(Math.abs(last - 450_000)).toBeLessThan(200);
});

it('has an error of percentiles below 0.1%', () => {
  const recorder = new Latencies();
  for (let index = 1; index <= 10_000; index += 1) recorder.record(index / 10);
  const { p50, p99, max } = new LatencyHistogram().add(recorder.take()).latency();
  expect(Math.abs(p50 - 500) / 500).toBeLessThan(0.001);
  expect(Math.abs(p99 - 990) / 990).toBeLessThan(0.001);
  expect(Math.abs(max - 1000) / 1000).toBeLessThan(0.001);
});

it('exports the standard format', () => {
  const text = new LatencyHistogram().add(Float64Array.of(indexOf(1000), 99, indexOf(445_000), 1)).base64();
  expect(decodeFromCompressedBase64(text).totalCount).toBe(100);
});

it('has the percentiles and the mean of HdrHistogram, also joined', () => {
  const random = seededRandom(5);
  const reference = build({ highestTrackableValue: 2 ** 31 - 1, numberOfSignificantValueDigits: 3 });
  const halves = [new LatencyHistogram(), new LatencyHistogram()];
  for (let count = 0; count < 5000; count += 1) {
    const value = Math.floor(2 ** (31 * random()));
    reference.recordValueWithCount(value, 1 + (count % 7));
    halves[count % 2]!.add(Float64Array.of(indexOf(value), 1 + (count % 7)));
  }
  const joined = halves[0]!.merge(halves[1]!);
  for (const percent of [0.01, 1, 33.3, 50, 90, 99, 99.9, 100])
    expect(joined.percentile(percent)).toBe(reference.getValueAtPercentile(percent) / 1000);
  expect(joined.meanMs).toBeCloseTo(reference.mean / 1000, 6);
  expect(decodeFromCompressedBase64(joined.base64()).getValueAtPercentile(99)).toBe(reference.getValueAtPercentile(99));
});
