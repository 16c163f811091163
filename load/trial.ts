import type { FleetFigures } from '../spec/index.ts';
import { runThreads } from './engines/threads.ts';
import type { TrialEnd } from './engines/threads.ts';
import type { Model, Sample, Slice } from './engines/messages.ts';
import { scheduleDuration } from './engines/schedule.ts';
import type { FlowJob } from './flow/job.ts';
import type { Schedule } from './engines/schedule.ts';
import type { Traffic } from './engines/traffic.ts';
import { SLICE_MS } from './plan.ts';
import { Measurement } from './measurement.ts';
import type { SliceView } from './measurement.ts';
import { joinSlices } from './join-slices.ts';
import { laneJobs, openJobs } from './jobs.ts';
import type { LaneJob } from './jobs.ts';
import type { Judged } from './judging.ts';
import type { Senders } from './senders.ts';
import type { LoadTarget } from './target.ts';
import type { SentRequests } from './wire-format.ts';

/** Other machines that send a trial, and what they send. */
export interface Remote {
  readonly senders: Senders;
  readonly requests: SentRequests;
  readonly onJudged: (judged: Judged) => void;
}

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
  readonly samplesPerSecond: number;
  readonly keepsIds: boolean;
  /** Iterations of a flow in place of the requests of the traffic. */
  readonly flow?: FlowJob;
  /** The id of each worker's first request (0). */
  readonly firstId?: number;
  readonly seed: number;
  /** Left out: this machine sends. */
  readonly remote?: Remote;
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
  readonly fleet?: FleetFigures;
}

/** autocannon cannot send less than one request per second per worker. */
function workersOf({ model, workers: own, maxRate, remote }: TrialOptions): number {
  const workers = remote?.senders.lanes ?? own;
  return model === 'closed' && maxRate !== undefined ? Math.max(1, Math.min(workers, Math.floor(maxRate))) : workers;
}

/** What a trial is made of while it runs. */
interface Parts {
  readonly options: TrialOptions;
  readonly durationMs: number;
  readonly measurement: Measurement;
  readonly jobs: readonly LaneJob[];
  readonly failedIds: readonly Set<number>[];
  readonly signal: AbortSignal;
  /** The slices of one index; the trial ends where this says so. */
  readonly onSlices: (index: number, slices: readonly { readonly worker: number; readonly slice: Slice }[]) => void;
}

async function sendHere({ options, jobs: lanes, signal, onSlices }: Parts): Promise<TrialEnd> {
  const { traffic, target, limitMs } = options;
  const { jobs, close } = await openJobs(lanes, options);
  const { token: sent } = traffic;
  let judged = Promise.resolve();
  const end = await runThreads({
    jobs,
    signal,
    ...(sent === undefined || target.renewal === undefined ? {} : { token: { sent, renewal: target.renewal } }),
    ...(limitMs === undefined ? {} : { limitMs }),
    onSlices: (index, slices) => {
      const samples = slices.flatMap(({ slice }) => slice.samples);
      if (samples.length > 0) judged = judged.then(() => options.onSamples?.(samples));
      onSlices(index, slices);
    },
  }).finally(close);
  await judged;
  return end;
}

async function sendElsewhere(parts: Parts, remote: Remote): Promise<TrialEnd & { readonly fleet: FleetFigures }> {
  const { options, durationMs, measurement, failedIds, onSlices } = parts;
  const { timeoutMs, warmupMs, limitMs } = options;
  const end = await remote.senders.send({
    ...remote,
    jobs: parts.jobs,
    signal: parts.signal,
    durationMs,
    timeoutMs,
    sliceMs: SLICE_MS,
    warmupMs,
    ...(limitMs === undefined ? {} : { limitMs }),
    onSlices: (index, slices) =>
      onSlices(
        index,
        slices.map(({ lane, slice }) => ({ worker: lane, slice })),
      ),
    onLate: (index, { lane, slice }) => {
      for (const id of slice.failedIds) failedIds[lane]?.add(id);
      measurement.addLate(index, slice);
    },
  });
  if (options.keepsIds)
    end.unknownIds.forEach((ranges, lane) => {
      for (const [from, to] of ranges) for (let id = from; id < to; id += 1) failedIds[lane]?.add(id);
    });
  return end;
}

export async function runTrial(given: TrialOptions): Promise<Trial> {
  const options = { ...given, workers: workersOf(given) };
  const durationMs = options.schedule ? scheduleDuration(options.schedule) : (options.durationMs ?? 10_000);
  const { warmupMs, remote } = options;
  const measurement = new Measurement({ warmupMs, durationMs });
  const jobs = laneJobs(options, durationMs);
  const failedIds = jobs.map(() => new Set<number>());
  const ended = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
  const onSlices: Parts['onSlices'] = (index, slices) => {
    for (const { worker, slice } of slices) for (const id of slice.failedIds) failedIds[worker]?.add(id);
    const own = slices.map(({ slice }) => slice);
    const view = measurement.add(index, remote === undefined ? own : joinSlices(own));
    if (options.onSlice?.(view, measurement) === 'stop') ended.abort();
  };
  const parts = { options, durationMs, measurement, jobs, failedIds, signal, onSlices };
  const end = await (remote === undefined ? sendHere(parts) : sendElsewhere(parts, remote));
  return { measurement, failedIds, firstId: options.firstId ?? 0, ...end };
}
