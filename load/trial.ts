import { runThreads } from './engines/threads.ts';
import type { Model, Sample } from './engines/messages.ts';
import { scheduleDuration } from './engines/schedule.ts';
import type { Schedule } from './engines/schedule.ts';
import type { Traffic } from './engines/traffic.ts';
import { Measurement } from './measurement.ts';
import type { SliceView } from './measurement.ts';
import { laneJobs, openJobs } from './jobs.ts';
import type { LoadTarget } from './target.ts';

/** One measurement: traffic, model, rate and duration. */
export interface TrialOptions {
  readonly target: LoadTarget;
  readonly traffic: Traffic;
  readonly model: Model;
  /** Of the open model; determines the duration. */
  readonly schedule?: Schedule;
  /** Of the closed model. */
  readonly durationMs?: number;
  readonly maxRate?: number;
  readonly warmupMs: number;
  readonly connections: number;
  readonly maxConnections: number;
  readonly workers: number;
  readonly timeoutMs: number;
  readonly sliceMs: number;
  readonly samplesPerSecond: number;
  readonly keepsIds: boolean;
  /** The id of each worker's first request (0). */
  readonly firstId?: number;
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** Ends the trial this long after its start, even with requests in flight. */
  readonly limitMs?: number;
  /** After each slice; `stop` ends the trial at once. */
  readonly onSlice?: (view: SliceView, measurement: Measurement) => 'on' | 'stop';
  /** Awaited at the end of the trial. */
  readonly onSamples?: (samples: readonly Sample[]) => Promise<void>;
}

/** The result of a trial. */
export interface Trial {
  readonly measurement: Measurement;
  /** It was ended early. */
  readonly stopped: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly connected: number;
  /** The id of each worker's first request. */
  readonly firstId: number;
  /** The next id of each worker, and the ids that were not acknowledged. */
  readonly nextIds: readonly number[];
  readonly failedIds: readonly ReadonlySet<number>[];
}

/** autocannon cannot send less than one request per second per worker. */
function workersOf({ model, workers, maxRate }: TrialOptions): number {
  return model === 'closed' && maxRate !== undefined ? Math.max(1, Math.min(workers, Math.floor(maxRate))) : workers;
}

export async function runTrial(given: TrialOptions): Promise<Trial> {
  const options = { ...given, workers: workersOf(given) };
  const durationMs = options.schedule ? scheduleDuration(options.schedule) : (options.durationMs ?? 10_000);
  const { sliceMs, warmupMs } = options;
  const measurement = new Measurement({ sliceMs, warmupMs, durationMs });
  const { jobs, close } = await openJobs(laneJobs(options, durationMs), options);
  const failedIds = jobs.map(() => new Set<number>());
  const ended = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
  let judged = Promise.resolve();
  const { traffic, target } = options;
  const { token: sent } = traffic;
  const end = await runThreads({
    jobs,
    signal,
    ...(sent === undefined || target.renewal === undefined ? {} : { token: { sent, renewal: target.renewal } }),
    ...(options.limitMs === undefined ? {} : { limitMs: options.limitMs }),
    onSlices: (index, slices) => {
      for (const { worker, slice } of slices) for (const id of slice.failedIds) failedIds[worker]?.add(id);
      const view = measurement.add(
        index,
        slices.map(({ slice }) => slice),
      );
      const samples = slices.flatMap(({ slice }) => slice.samples);
      if (samples.length > 0) judged = judged.then(() => options.onSamples?.(samples));
      if (options.onSlice?.(view, measurement) === 'stop') ended.abort();
    },
  }).finally(close);
  await judged;
  return { measurement, failedIds, firstId: options.firstId ?? 0, ...end };
}
