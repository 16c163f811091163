import * as hdr from 'hdr-histogram-js';
import type { Latency, RunRecord } from '../../spec/index.ts';

const SECONDS = 60;

/** A load run of an open engine against a target that freezes now and then, and a capacity search; `slower` scales its latencies. */
export function sampleLoad(slower = 1): RunRecord[] {
  const histogram = hdr.build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000,
    numberOfSignificantValueDigits: 3,
  });
  const ticks = Array.from({ length: SECONDS }, (_, second): RunRecord => {
    const frozen = second % 20 === 13;
    for (let index = 0; index < 500; index += 1)
      histogram.recordValue(
        Math.round(
          slower * 1000 * (0.8 + ((index * 7919) % 97) / 90 + (frozen && index > 440 ? (index - 440) * 8 : 0)),
        ),
      );
    return {
      type: 'tick',
      scenario: 'clue-ingestion',
      second,
      offeredRate: 1000,
      rate: frozen ? 620 : 1000 - ((second * 37) % 11),
      errors: frozen ? 12 : 0,
      inFlight: frozen ? 380 : 3,
      latencyMs: latencyOf(slower * (0.8 + ((second * 31) % 7) / 20), frozen ? 480 : 1),
    };
  });
  const latencyMs = {
    p50: 1.3 * slower,
    p90: 1.7 * slower,
    p95: 1.8 * slower,
    p99: 310 * slower,
    p99_9: 470 * slower,
    max: 474 * slower,
  };
  return [
    {
      type: 'run-start',
      version: '0.1.0',
      command: 'load',
      target: { baseUrl: 'http://127.0.0.1:41234', embedded: true },
      seed: 42,
      spec: { title: 'Data Management Service', source: 'spec/openapi.yaml', operations: 43 },
      startedAt: '2026-11-21T08:00:00.000Z',
      options: {},
    },
    ...ticks,
    {
      type: 'scenario',
      name: 'clue-ingestion',
      engine: 'open',
      offeredRate: 1000,
      rate: 981,
      requests: 60_000,
      errors: { timeout: 30, '503': 6 },
      latencyMs,
      thresholds: [
        { expression: 'p99<200', value: latencyMs.p99, held: latencyMs.p99 < 200 },
        { expression: 'errors<0.1%', value: 0.06, held: true },
      ],
      contractViolations: 0,
      histogram: hdr.encodeIntoCompressedBase64(histogram),
      notes: ['The target froze three times for about half a second.'],
    },
    {
      type: 'capacity',
      scenario: 'clue-ingestion',
      rate: 4633,
      low: 4580,
      high: 4700,
      limitedBy: 'latency',
      steps: [1000, 2000, 3200, 4000, 4500, 4633, 4760, 5200].map((offeredRate) => ({
        offeredRate,
        rate: Math.min(offeredRate, 4700),
        held: offeredRate <= 4633,
        reason: offeredRate <= 4633 ? '' : 'p99 over 200 ms',
        latencyMs: latencyOf(1 + offeredRate / 5000, offeredRate > 4633 ? 300 : 1 + offeredRate / 900),
      })),
    },
    { type: 'run-end', durationMs: SECONDS * 1000, interrupted: false },
  ];
}

function latencyOf(p50: number, tail: number): Latency {
  return { p50, p90: p50 * 1.4, p95: p50 * 1.7, p99: p50 * 2 * tail, p99_9: p50 * 3 * tail, max: p50 * 4 * tail };
}
