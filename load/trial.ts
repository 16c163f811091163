import type { FleetFigures } from '../spec/index.ts';
import { runThreads } from './engines/threads.ts';
import type { TrialEnd } from './engines/threads.ts';
import type { EngineJob, Sample, Slice } from './engines/messages.ts';
import { scheduleDuration } from './engines/schedule.ts';
import type { FlowJob } from './flow/job.ts';
import type { Schedule } from './engines/schedule.ts';
import { SLICE_MS } from './plan.ts';
import type { EngineSettings } from './plan.ts';
import { Measurement } from './measurement.ts';
import type { SliceView } from './measurement.ts';
import { joinSlices } from './join-slices.ts';
import { laneJobs, openJobs } from './jobs.ts';
import type { LaneJob } from './jobs.ts';
import type { Judged } from './judging.ts';
import type { Senders } from './senders.ts';
import type { LoadTarget } from './target.ts';
import type { SentRequests } from './wire-format.ts';

/** Other machines that send a trial, and the requests that they send. */
export interface Remote {
  readonly senders: Senders;
  readonly requests: SentRequests;
  readonly onJudged: (judged: Judged) => void;
}

/** One measurement: traffic, model, rate and duration. */
export interface TrialOptions extends EngineSettings, Pick<EngineJob, 'traffic' | 'model' | 'keepsIds'> {
  readonly target: LoadTarget;
  /** Of the open model; determines the duration. */
  readonly schedule?: Schedule | undefined;
  /** Of the closed model. */
  readonly durationMs?: number | undefined;
  readonly maxRate?: number | undefined;
  readonly warmupMs: number;
  /** Iterations of a flow instead of the requests of the traffic. */
  readonly flow?: FlowJob | undefined;
  /** The id of each worker's first request (0). */
  readonly firstId?: number | undefined;
  /** Default: this machine sends. */
  readonly remote?: Remote | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Ends the trial this long after its start, even with requests in flight. */
  readonly limitMs?: number | undefined;
  /** Sends nothing more this long after its start, and awaits the requests in flight; a fleet does not await them. */
  readonly cutMs?: number | undefined;
  /** Called after each slice; `stop` ends the trial at once. */
  readonly onSlice?: ((view: SliceView, measurement: Measurement) => 'on' | 'stop') | undefined;
  /** Awaited at the end of the trial. */
  readonly onSamples?: ((samples: readonly Sample[]) => Promise<void>) | undefined;
}

export interface Trial extends TrialEnd {
  readonly measurement: Measurement;
  /** The id of each worker's first request. */
  readonly firstId: number;
  /** The ids of each worker that were not acknowledged. */
  readonly failedIds: readonly ReadonlySet<number>[];
  readonly fleet?: FleetFigures;
}

/** autocannon cannot send less than one request per second per worker. */
function workersOf({ model, workers: own, maxRate, remote }: TrialOptions): number {
  const workers = remote?.senders.lanes ?? own;
  return model === 'closed' && maxRate !== undefined ? Math.max(1, Math.min(workers, Math.floor(maxRate))) : workers;
}

/** A trial while it runs. */
interface RunningTrial {
  readonly options: TrialOptions;
  readonly durationMs: number;
  readonly measurement: Measurement;
  readonly jobs: readonly LaneJob[];
  readonly failedIds: readonly Set<number>[];
  readonly signal: AbortSignal;
  /** Receives the slices of all workers with the same index. */
  readonly onSlices: (index: number, slices: readonly Slice[]) => void;
  readonly onFailedIds: (lane: number, ids: readonly number[]) => void;
}

async function sendHere({ options, jobs: lanes, signal, onSlices, onFailedIds }: RunningTrial): Promise<TrialEnd> {
  const { traffic, target, limitMs, cutMs } = options;
  const { jobs, close } = await openJobs(lanes, options);
  const { token: sent } = traffic;
  let judged = Promise.resolve();
  const end = await runThreads({
    jobs,
    signal,
    limitMs,
    cutMs,
    token: sent === undefined || target.renewal === undefined ? undefined : { sent, renewal: target.renewal },
    onSlices: (index, slices) => {
      const samples = slices.flatMap(({ slice }) => slice.samples);
      if (samples.length > 0) judged = judged.then(() => options.onSamples?.(samples));
      for (const { lane, slice } of slices) onFailedIds(lane, slice.failedIds);
      onSlices(
        index,
        slices.map(({ slice }) => slice),
      );
    },
  }).finally(close);
  await judged;
  return end;
}

async function sendElsewhere(
  running: RunningTrial,
  remote: Remote,
): Promise<TrialEnd & { readonly fleet: FleetFigures }> {
  const { options, durationMs, measurement, failedIds, onSlices, onFailedIds } = running;
  const { timeoutMs, warmupMs, cutMs, limitMs = cutMs } = options;
  const end = await remote.senders.send({
    ...remote,
    jobs: running.jobs,
    signal: running.signal,
    durationMs,
    timeoutMs,
    sliceMs: SLICE_MS,
    warmupMs,
    limitMs,
    onSlices: (index, slices) => {
      for (const { lane, slice } of slices) onFailedIds(lane, slice.failedIds);
      onSlices(index, joinSlices(slices.map(({ slice }) => slice)));
    },
    onLate: (index, { lane, slice }) => {
      onFailedIds(lane, slice.failedIds);
      for (const joined of joinSlices([slice])) measurement.addLate(index, joined);
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
  const durationMs = options.schedule ? scheduleDuration(options.schedule) : (options.durationMs ?? 0);
  const { warmupMs, remote } = options;
  const measurement = new Measurement({ warmupMs, durationMs });
  const jobs = laneJobs(options, durationMs);
  const failedIds = jobs.map(() => new Set<number>());
  const ended = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
  const onSlices: RunningTrial['onSlices'] = (index, slices) => {
    const view = measurement.add(index, slices);
    if (options.onSlice?.(view, measurement) === 'stop') ended.abort();
  };
  const onFailedIds: RunningTrial['onFailedIds'] = (lane, ids) => {
    for (const id of ids) failedIds[lane]?.add(id);
  };
  const running = { options, durationMs, measurement, jobs, failedIds, signal, onSlices, onFailedIds };
  const end = await (remote === undefined ? sendHere(running) : sendElsewhere(running, remote));
  return { measurement, failedIds, firstId: options.firstId ?? 0, ...end };
}
