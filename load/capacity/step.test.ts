import { expect, it } from 'vitest';
import type { SliceSummary } from '../measurement.ts';
import { testSummary } from '../testing/slices.ts';
import { testTraffic } from '../testing/traffic.ts';
import { startKnownTarget } from '../testing/known-target.ts';
import { parseThresholds } from '../thresholds.ts';
import { queueGrowth, runStep } from './step.ts';

const WARMUP_MS = 500;

/** The slices of a step of 10.5 s against a target that serves 200/s, but stands still for 500 ms in every 5 s; the first time at `atMs`. */
function slices(rate: number, atMs: number): SliceSummary[] {
  let queue = 0;
  return Array.from({ length: 42 }, (_, index) => {
    const isStill = (((index * 250 - atMs) % 5000) + 5000) % 5000 < 500;
    queue = Math.max(0, queue + (rate - (isStill ? 0 : 200)) / 4);
    return testSummary(index, { inFlight: Math.round(queue) });
  });
}

it.each([0, 1000, 2500, 4500, 4750])(
  'a queue that a target clears between its stalls does not grow, whenever they begin (%i ms)',
  (atMs) => {
    const growth = (rate: number): number => queueGrowth(slices(rate, atMs), WARMUP_MS, 5000);
    expect(growth(150)).toBe(0);
    expect(growth(176)).toBe(0);
    expect(growth(186)).toBeGreaterThan(20);
    expect(growth(300)).toBeGreaterThan(500);
  },
);

it(
  'a growing queue limits the throughput, where the latency is still below its threshold',
  { timeout: 20_000 },
  async () => {
    const target = await startKnownTarget({ queue: { servers: 1, serviceMs: 20 } });
    const size = { connections: 8, maxConnections: 64, workers: 1, samplesPerSecond: 0, seed: 1, timeoutMs: 5000 };
    const step = await runStep({
      settings: size,
      target: { baseUrl: target.baseUrl },
      traffic: testTraffic({ port: Number(new URL(target.baseUrl).port) }),
      rate: 70,
      warmupMs: 0,
      durationMs: 2000,
      periodMs: undefined,
      thresholds: parseThresholds(['p99<5s']),
      signal: new AbortController().signal,
      firstId: 0,
      violations: () => 0,
      onSlice: () => undefined,
    }).finally(() => target.close());
    expect(step).toMatchObject({ held: false, limit: 'throughput', saturated: true });
  },
);
