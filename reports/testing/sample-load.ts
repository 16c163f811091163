import * as hdr from 'hdr-histogram-js';
import type { Latency, RunRecord, ScenarioDetail } from '../../spec/index.ts';

const SECONDS = 60;
const FAST = latencyOf(1, 1);

const DETAIL: ScenarioDetail = {
  title: 'Posts clues.',
  model: 'open',
  profile: 'steady',
  connections: 64,
  workers: 2,
  durationMs: SECONDS * 1000,
  warmupMs: 2000,
  judgedOn: 'steady',
  whole: { requests: 60_000, rate: 981, errors: {}, latencyMs: FAST },
  lagMs: FAST,
  busy: 0.3,
  late: 0,
  unsent: 0,
  judged: 500,
  violating: 0,
  parts: ['post', 'read'].map((label) => ({ label, requests: 30_000, rate: 490, errors: {}, latencyMs: FAST })),
  throughput: {
    engine: 'autocannon',
    connections: 64,
    workers: 1,
    durationMs: 2000,
    requests: 9000,
    rate: 4500,
    errors: {},
    latencyMs: FAST,
  },
};

/** One second; every twentieth the target freezes. */
function tick(second: number, slower: number, record: (microseconds: number) => void): RunRecord {
  const frozen = second % 20 === 13;
  for (let index = 0; index < 500; index += 1) {
    const stall = frozen && index > 440 ? (index - 440) * 8 : 0;
    record(Math.round(slower * 1000 * (0.8 + ((index * 7919) % 97) / 90 + stall)));
  }
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
}

function scenario(slower: number, histogram: string): RunRecord {
  const latencyMs = { p50: 1.3, p90: 1.7, p95: 1.8, p99: 310, p99_9: 470, max: 474 };
  const scaled = Object.fromEntries(
    Object.entries(latencyMs).map(([name, ms]) => [name, ms * slower]),
  ) as typeof latencyMs;
  return {
    type: 'scenario',
    name: 'clue-ingestion',
    engine: 'open',
    offeredRate: 1000,
    rate: 981,
    requests: 60_000,
    errors: { timeout: 30, '503': 6 },
    latencyMs: scaled,
    thresholds: [
      { expression: 'p99<200', value: scaled.p99, held: scaled.p99 < 200, metric: 'p99', limit: 200 },
      { expression: 'errors<0.1%', value: 0.06, held: true },
    ],
    contractViolations: 0,
    histogram,
    notes: ['The target froze three times for about half a second.'],
    detail: DETAIL,
  };
}

function capacity(): RunRecord {
  return {
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
  };
}

/** A load run against a target that freezes at times, and a capacity search; `slower` multiplies the latencies. */
export function sampleLoad(slower = 1): RunRecord[] {
  const histogram = hdr.build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000,
    numberOfSignificantValueDigits: 3,
  });
  const ticks = Array.from({ length: SECONDS }, (_, second) =>
    tick(second, slower, (microseconds) => histogram.recordValue(microseconds)),
  );
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
    scenario(slower, hdr.encodeIntoCompressedBase64(histogram)),
    capacity(),
    { type: 'run-end', durationMs: SECONDS * 1000, interrupted: false },
  ];
}

function latencyOf(p50: number, tail: number): Latency {
  return { p50, p90: p50 * 1.4, p95: p50 * 1.7, p99: p50 * 2 * tail, p99_9: p50 * 3 * tail, max: p50 * 4 * tail };
}
