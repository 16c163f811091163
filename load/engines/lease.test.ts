import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startKnownTarget } from '../testing/known-target.ts';
import type { KnownTarget, Seen } from '../testing/known-target.ts';
import { testTraffic } from '../testing/traffic.ts';
import { startLane } from './lane-thread.ts';
import type { LaneThread } from './lane-thread.ts';
import type { EngineJob, Slice } from './messages.ts';
import { openEngine } from './open.ts';
import { Recorder } from './recorder.ts';
import { Refusals } from './refusals.ts';
import { SampleBudget } from './samples.ts';
import { Picker } from './traffic.ts';

const PLANNED = 300;
const DURATION_MS = 600;
const epoch = (): number => performance.timeOrigin + performance.now();

/** Nothing else of this thread runs meanwhile, as when its process is stopped. */
const sleepAtOnce = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function jobFor(target: KnownTarget, given: Partial<EngineJob>): EngineJob {
  return {
    model: 'open',
    endpoint: { host: '127.0.0.1', port: target.port, secure: false, insecure: false },
    traffic: testTraffic({ port: target.port, count: 20 }),
    worker: 0,
    share: { index: 0, count: 1 },
    seed: 1,
    connections: 8,
    maxConnections: 8,
    timeoutMs: 5000,
    durationMs: DURATION_MS,
    sliceMs: 250,
    schedule: { arrivals: 'even', segments: [{ durationMs: DURATION_MS, from: 500, to: 500 }] },
    samplesPerSecond: 0,
    firstId: 0,
    keepsIds: false,
    watchesToken: false,
    ...given,
  };
}

/** A lane's part in a run: its slices, and how to start it. */
function lane(target: KnownTarget, given: Partial<EngineJob>): { thread: LaneThread; slices: Slice[] } {
  const slices: Slice[] = [];
  const job = jobFor(target, given);
  return { thread: startLane(job, { onSlice: (slice) => slices.push(slice), onRefused: () => {} }), slices };
}

const sum = (slices: readonly Slice[], pick: (slice: Slice) => number): number =>
  slices.reduce((total, slice) => total + pick(slice), 0);
const answered = (slices: readonly Slice[]): number => sum(slices, ({ parts }) => parts[0]?.answered ?? 0);

async function withTarget(work: (target: KnownTarget) => Promise<void>): Promise<Seen> {
  const target = await startKnownTarget();
  try {
    await work(target);
    return await target.seen();
  } finally {
    await target.close();
  }
}

/** A lease that ends `ms` from now. */
function leaseFor(ms: number): { memory: SharedArrayBuffer; until: Float64Array } {
  const memory = new SharedArrayBuffer(8);
  const until = new Float64Array(memory);
  until[0] = epoch() + ms;
  return { memory, until };
}

describe.concurrent('a lane', () => {
  it('withholds what is due after its lease, also before a late start, and counts every request once', async () => {
    const { memory, until } = leaseFor(60_000);
    const seen = await withTarget(async (target) => {
      const own = lane(target, { lease: memory });
      await own.thread.ready;
      until[0] = epoch() + 200;
      own.thread.tell({ type: 'go', startAt: epoch() - 100 });
      expect(await own.thread.done).toBe(PLANNED);
      const withheld = sum(own.slices, (slice) => slice.withheld);
      expect(withheld).toBeGreaterThan(100);
      expect(answered(own.slices) + withheld).toBe(PLANNED);
      expect(own.slices.map(({ from }) => from).slice(1)).toEqual(own.slices.map(({ to }) => to).slice(0, -1));
    });
    expect(seen.count).toBeGreaterThan(0);
  });

  it('is handed over at a moment: two owners send every request once between them', async () => {
    const seen = await withTarget(async (target) => {
      const before = lane(target, {});
      const after = lane(target, {});
      await Promise.all([before.thread.ready, after.thread.ready]);
      const startAt = epoch() + 30;
      before.thread.tell({ type: 'go', startAt });
      before.thread.tell({ type: 'until', atMs: 300 });
      after.thread.tell({ type: 'go', startAt, fromMs: 300 });
      expect(await before.thread.done).toBe(PLANNED / 2);
      expect(await after.thread.done).toBe(PLANNED);
      expect([answered(before.slices), answered(after.slices)]).toEqual([PLANNED / 2, PLANNED / 2]);
      expect(after.slices[0]?.from).toBe(PLANNED / 2);
    });
    expect(seen).toMatchObject({ count: PLANNED, unique: PLANNED });
  });
});

it.each([
  ['a lane of a fleet never makes up for what it missed while it slept', 60_000],
  ['a lane of one machine sends late what it missed', undefined],
])('%s', async (_, leaseMs) => {
  const seen = await withTarget(async (target) => {
    const job = jobFor(target, leaseMs === undefined ? {} : { lease: leaseFor(leaseMs).memory });
    const recorder = new Recorder(job.traffic.series, false);
    const engine = openEngine.start({
      job,
      recorder,
      picker: new Picker(job.traffic, 0, 1, 0),
      samples: new SampleBudget(0),
      refusals: new Refusals(recorder, false, () => {}),
    });
    await engine.ready;
    const startAt = performance.now();
    engine.go(startAt, 0);
    await setTimeout(50);
    // On a busy machine requests may wait for a connection, which is no sleep.
    while (engine.gauges().backlog > 0) await setTimeout(1);
    const missed = Math.min(400, DURATION_MS - (performance.now() - startAt)) * (PLANNED / DURATION_MS);
    sleepAtOnce(400);
    await engine.finished;
    expect(recorder.sent + recorder.withheld).toBe(PLANNED);
    if (leaseMs === undefined) expect(recorder.withheld).toBe(0);
    else expect(recorder.withheld).toBeGreaterThan(0.75 * missed);
  });
  expect(seen.count).toBe(seen.unique);
});
