import type { EngineJob, Endpoint } from './engines/messages.ts';
import type { Schedule } from './engines/schedule.ts';
import type { Traffic } from './engines/traffic.ts';
import { openEndpoint, originOf } from './target.ts';
import type { TrialOptions } from './trial.ts';

/** The share of one worker, at least 1. */
function spread(total: number, workers: number, index: number): number {
  return Math.max(1, Math.floor(total / workers) + (index < total % workers ? 1 : 0));
}

/** The requests to one origin: their share of the traffic, and the workers that send them. */
interface Lane {
  readonly origin: string;
  /** 0 to 1. */
  readonly share: number;
  readonly workers: number;
}

/** One lane for each origin; each has a worker of its own at least. */
function lanesOf({ target, traffic: { parts }, workers }: TrialOptions): readonly Lane[] {
  const own = originOf(target);
  const weights = new Map<string, number>();
  for (const { origin = own, weight } of parts) weights.set(origin, (weights.get(origin) ?? 0) + weight);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return [...weights].map(([origin, weight]) => {
    const share = weight / total;
    return { origin, share, workers: weights.size === 1 ? workers : Math.max(1, Math.round(workers * share)) };
  });
}

/** The traffic of a lane: all requests keep their numbers, those of other origins are not sent. */
function trafficOf({ origin }: Lane, { target, traffic }: TrialOptions): Traffic {
  const own = originOf(target);
  const parts = traffic.parts.map((part) => ((part.origin ?? own) === origin ? part : { ...part, weight: 0 }));
  return { ...traffic, parts };
}

function scheduleOf({ segments, arrivals }: Schedule, share: number): Schedule {
  return { arrivals, segments: segments.map((each) => ({ ...each, from: each.from * share, to: each.to * share })) };
}

type Job = Omit<EngineJob, 'worker'>;

function jobsOf(options: TrialOptions, lane: Lane, number: number, endpoint: Endpoint, durationMs: number): Job[] {
  const { model, timeoutMs, sliceMs, keepsIds, schedule, maxRate } = options;
  const { share, workers } = lane;
  const connections = options.connections * share;
  const traffic = trafficOf(lane, options);
  return Array.from({ length: workers }, (_, index): Job => ({
    model,
    endpoint,
    traffic,
    timeoutMs,
    durationMs,
    sliceMs,
    keepsIds,
    seed: options.seed + number * 104_729,
    firstId: options.firstId ?? 0,
    share: { index, count: workers },
    connections: spread(Math.round(connections), workers, index),
    maxConnections: spread(Math.round(Math.max(connections, options.maxConnections * share)), workers, index),
    watchesToken: options.target.renewal !== undefined,
    samplesPerSecond: (options.samplesPerSecond * share) / workers,
    ...(schedule === undefined ? {} : { schedule: scheduleOf(schedule, share) }),
    ...(maxRate === undefined ? {} : { maxRate: (maxRate * share) / workers }),
  }));
}

/** The jobs of a trial, until `close`. */
export async function openJobs(
  options: TrialOptions,
  durationMs: number,
): Promise<{ readonly jobs: readonly EngineJob[]; readonly close: () => Promise<void> }> {
  const lanes = lanesOf(options);
  const opened = await Promise.all(lanes.map(({ origin }) => openEndpoint(origin, options.target)));
  const jobs = lanes.flatMap((lane, number) => {
    const endpoint = opened[number]?.endpoint;
    return endpoint === undefined ? [] : jobsOf(options, lane, number, endpoint, durationMs);
  });
  return {
    jobs: jobs.map((job, worker) => ({ ...job, worker })),
    close: async () => void (await Promise.all(opened.map(({ close }) => close()))),
  };
}
