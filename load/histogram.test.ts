import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { expect, it } from 'vitest';
import { Latencies } from './engines/latencies.ts';
import { LatencyHistogram } from './histogram.ts';

it('transfers counts from a worker to an HdrHistogram exactly', () => {
  const recorder = new Latencies();
  const reference = new LatencyHistogram();
  const values = Array.from({ length: 4000 }, (_, index) => Math.round(1.004 ** index));
  for (const value of values) {
    recorder.record(value / 1000);
    if (value < 2 ** 31 - 1) reference.add(Float64Array.of(value, 1));
  }
  const carried = new LatencyHistogram().add(recorder.take());
  const within = values.filter((value) => value < 2 ** 31 - 1).length;
  expect(carried.count).toBe(4000);
  expect(carried.percentile((within / 8000) * 100)).toBe(reference.percentile(50));
});

it('returns recorded values once', () => {
  const recorder = new Latencies();
  recorder.record(1.5);
  expect([...recorder.take()]).toEqual([1500, 1]);
  expect([...recorder.take()]).toEqual([]);
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
  const text = new LatencyHistogram().add(Float64Array.of(1000, 99, 445_000, 1)).base64();
  expect(decodeFromCompressedBase64(text).totalCount).toBe(100);
});
