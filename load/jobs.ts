import { usageError } from '../spec/index.ts';
import type { EngineJob } from './engines/messages.ts';
import type { Schedule } from './engines/schedule.ts';
import { mostWorkers } from './engines/traffic.ts';
import type { Traffic } from './engines/traffic.ts';
import { SLICE_MS } from './plan.ts';
import { openEndpoint, originOf } from './target.ts';
import type { TrialOptions } from './trial.ts';
import { flowShare } from './flow/job.ts';

/** The share of one worker in a number, at least 1. */
function spread(total: number, workers: number, index: number): number {
  return Math.max(1, Math.floor(total / workers) + (index < total % workers ? 1 : 0));
}

/** The requests to one origin: their share of the traffic, and the number of workers that send them. */
interface OriginShare {
  readonly origin: string;
  /** 0 to 1. */
  readonly share: number;
  readonly workers: number;
}

/** The shares of all origins; each has at least one worker. */
function originShares({ target, traffic: { parts }, workers }: TrialOptions): readonly OriginShare[] {
  const own = originOf(target);
  const weights = new Map<string, number>();
  for (const { origin = own, weight } of parts) weights.set(origin, (weights.get(origin) ?? 0) + weight);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return [...weights].map(([origin, weight]) => {
    const share = weight / total;
    return { origin, share, workers: weights.size === 1 ? workers : Math.max(1, Math.round(workers * share)) };
  });
}

function scheduleOf({ segments, arrivals }: Schedule, share: number): Schedule {
  return { arrivals, segments: segments.map((each) => ({ ...each, from: each.from * share, to: each.to * share })) };
}

/** The job of a worker without endpoint and requests: small plain data for any machine. */
export interface LaneJob extends Omit<EngineJob, 'endpoint' | 'traffic' | 'watchesToken' | 'lease'> {
  readonly origin: string;
}

function jobsOf(
  options: TrialOptions,
  origin: OriginShare,
  number: number,
  durationMs: number,
): Omit<LaneJob, 'worker'>[] {
  const { model, timeoutMs, keepsIds, schedule, maxRate } = options;
  const { share, workers } = origin;
  const connections = options.connections * share;
  return Array.from({ length: workers }, (_, index) => ({
    origin: origin.origin,
    model,
    timeoutMs,
    durationMs,
    sliceMs: SLICE_MS,
    keepsIds,
    seed: options.seed + number * 104_729,
    firstId: options.firstId ?? 0,
    share: { index, count: workers },
    connections: spread(Math.round(connections), workers, index),
    maxConnections: spread(Math.round(Math.max(connections, options.maxConnections * share)), workers, index),
    samplesPerSecond: (options.samplesPerSecond * share) / workers,
    ...(schedule === undefined ? {} : { schedule: scheduleOf(schedule, share) }),
    ...(maxRate === undefined ? {} : { maxRate: (maxRate * share) / workers }),
  }));
}

/** The jobs of a trial. Together they send its schedule. */
export function laneJobs(options: TrialOptions, durationMs: number): readonly LaneJob[] {
  const jobs = originShares(options).flatMap((each, number) => jobsOf(options, each, number, durationMs));
  const most = mostWorkers(options.traffic);
  if (jobs.length <= most) return jobs.map((job, worker) => ({ ...job, worker }));
  throw usageError(
    `Unique fields of ${options.traffic.fieldWidth} bytes can distinguish only ${most} workers.`,
    'Use fields of 14 bytes ("fieldWidth" of the scenario), or fewer workers.',
  );
}

/** The traffic without the requests to other origins; all requests keep their numbers. */
function trafficTo(origin: string, own: string, traffic: Traffic): Traffic {
  const parts = traffic.parts.map((part) => ((part.origin ?? own) === origin ? part : { ...part, weight: 0 }));
  return { ...traffic, parts };
}

/** Adds endpoints and requests to jobs; `close` closes the tunnels of the endpoints. */
export async function openJobs(
  jobs: readonly LaneJob[],
  { target, traffic, flow }: Pick<TrialOptions, 'target' | 'traffic' | 'flow'>,
): Promise<{ readonly jobs: readonly EngineJob[]; readonly close: () => Promise<void> }> {
  const own = originOf(target);
  const origins = [...new Set(jobs.map(({ origin }) => origin))];
  const opened = await Promise.all(origins.map((origin) => openEndpoint(origin, target)));
  const parts = new Map(
    opened.map(({ endpoint }, index) => {
      const origin = origins[index] ?? own;
      return [origin, { endpoint, traffic: trafficTo(origin, own, traffic) }] as const;
    }),
  );
  return {
    jobs: jobs.flatMap(({ origin, ...job }) => {
      const part = parts.get(origin);
      if (part === undefined) return [];
      const watchesToken = target.renewal !== undefined;
      return [{ ...job, ...part, watchesToken, ...(flow && { flow: flowShare(flow, job.share) }) }];
    }),
    close: async () => void (await Promise.all(opened.map(({ close }) => close()))),
  };
}
