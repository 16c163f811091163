import { expect, it } from 'vitest';
import { indexOf } from '../engines/latencies.ts';
import { seededRandom } from '../engines/schedule.ts';
import { Measurement } from '../measurement.ts';
import { testPart, testSlice } from '../testing/slices.ts';
import { driftOf } from './drift.ts';
import { partsCompared } from './parts.ts';

const SECONDS = 60;

interface Shape {
  /** Milliseconds at a moment, 0 to 1 of the run. */
  readonly latency: (at: number) => number;
  readonly failed?: (at: number) => number;
  readonly second?: (at: number) => number;
  readonly isAnswered?: (index: number) => boolean;
}

function measured({ latency, failed = () => 0, second, isAnswered = () => true }: Shape): Measurement {
  const random = seededRandom(5);
  const durationMs = SECONDS * 1000;
  const measurement = new Measurement({ warmupMs: 1000, durationMs });
  const part = (label: string, of: (at: number) => number, at: number) => {
    const values = Array.from({ length: 50 }, () => [indexOf(of(at) * (0.8 + random() * 0.4) * 1000), 1]).flat();
    return testPart(50, { part: label, failed: Math.round(failed(at)), latencies: Float64Array.from(values) });
  };
  for (let index = 0; index < SECONDS * 4; index += 1) {
    const at = index / (SECONDS * 4);
    const parts = second ? [part('a', latency, at), part('b', second, at)] : [part('a', latency, at)];
    measurement.add(index, [testSlice(index, isAnswered(index) ? parts : [])]);
  }
  return measurement;
}

it('reports no drift for a stable soak run', () => {
  const { metrics, notes } = driftOf(measured({ latency: () => 20 }), 1000);
  expect(metrics.map(({ significant }) => significant)).toEqual([false, false, false]);
  expect(notes.join()).toContain('none significant');
});

it('reports the drift of a soak run that slows down', () => {
  const { metrics, notes } = driftOf(measured({ latency: (at) => 20 + 10 * at }), 1000);
  const p50 = metrics.find(({ metric }) => metric === 'p50');
  expect(p50).toMatchObject({ significant: true });
  expect(p50?.change).toBeGreaterThan(9);
  expect(p50?.change).toBeLessThan(11);
  expect(notes.join()).toMatch(/drift: p50 \+\d/);
  expect(p50?.perHour?.slope).toBeGreaterThan(590);
  expect(p50?.perHour?.slope).toBeLessThan(625);
});

it('reports drift of latencies at one request per second', () => {
  const rare = measured({ latency: (at) => 20 + 20 * at, isAnswered: (index) => index % 4 === 0 });
  expect(driftOf(rare, 1000).metrics.find(({ metric }) => metric === 'p50')).toMatchObject({ significant: true });
});

it('reports growing errors', () => {
  const { metrics } = driftOf(measured({ latency: () => 20, failed: (at) => at * 5 }), 1000);
  expect(metrics.find(({ metric }) => metric === 'errors')).toMatchObject({ significant: true });
});

it('compares interleaved parts', () => {
  expect(partsCompared(measured({ latency: () => 20, second: () => 20 }).parts)).toMatchObject({
    labels: ['a', 'b'],
    differ: false,
  });
  const slower = partsCompared(measured({ latency: () => 20, second: () => 25 }).parts);
  expect(slower).toMatchObject({ differ: true });
  expect(slower?.note).toMatch(/b is 2\d% slower than a/);
});

it('reports memory that grows, with its slope and the confidence of it', () => {
  const samples = Array.from({ length: 60 }, (_, index) => ({
    memory: (100 + index + (index % 3)) * 2 ** 20,
    files: 12,
  }));
  const { metrics, notes } = driftOf(measured({ latency: () => 20 }), 1000, { samples, spanMs: 29_500 });
  const memory = metrics.find(({ metric }) => metric === 'memory');
  const { slope = 0, low = 0, high = 0 } = memory?.perHour ?? {};
  expect(memory?.significant).toBe(true);
  expect([low <= slope, slope <= high, high - low < slope / 5]).toEqual([true, true, true]);
  // One MiB per sample, and two samples per second.
  expect(slope / 2 ** 20).toBeCloseTo(7200, -2);
  expect(metrics.find(({ metric }) => metric === 'files')?.significant).toBe(false);
  expect(notes.join()).toMatch(/drift: memory \+\d+\.\d MiB \(\+\d+%\) over the run, \+\d+\.\d MiB per minute \(95%: /);
});
