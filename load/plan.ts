import { usageError } from '../spec/index.ts';
import { executorPlan } from './flow/executor-plan.ts';
import type { ExecutorPlan } from './flow/executor-plan.ts';
import { cutAt, scheduleDuration } from './engines/schedule.ts';
import type { Segment } from './engines/schedule.ts';
import { rateToOffer, refuseUnreachable } from './demanded-rate.ts';
import { refuseIgnored } from './ignored-options.ts';
import { LOAD_PROFILES } from './profiles.ts';
import type { LoadProfile, ProfileName } from './profiles.ts';
import type { CommonOptions, LoadOptions, PlanOptions } from './options.ts';
import type { Scenario } from './scenarios/index.ts';
import type { Threshold } from './thresholds.ts';

/** Length of a slice: workers report their counts once per slice. */
export const SLICE_MS = 250;

/** How a scenario is run, with all defaults applied. */
export interface Plan {
  readonly profile: ProfileName;
  /** Requests per second of the open model; with a throughput phase, the rate that applies if the phase fails. */
  readonly rate: number;
  /** Length of the throughput phase; 0: none. */
  readonly throughputMs: number;
  readonly durationMs: number;
  readonly warmupMs: number;
  readonly notes: readonly string[];
  /** How requests or iterations are started. */
  readonly executor: ExecutorPlan;
}

/** Connections, threads and time limits of the engines, with all defaults applied. */
export interface EngineSettings {
  readonly connections: number;
  readonly maxConnections: number;
  readonly workers: number;
  readonly timeoutMs: number;
  readonly samplesPerSecond: number;
  readonly seed: number;
}

/** The maximum number of connections is the initial number times this. */
const GROWTH = 4;

export function engineSettingsOf(
  options: Pick<
    CommonOptions,
    'workers' | 'connections' | 'maxConnections' | 'timeoutMs' | 'judge' | 'samplesPerSecond' | 'seed'
  >,
): EngineSettings {
  const workers = options.workers ?? 1;
  const connections = Math.max(workers, options.connections ?? 50);
  const mostConnections =
    options.maxConnections ?? (options.connections === undefined ? connections * GROWTH : connections);
  return {
    workers,
    connections,
    maxConnections: Math.max(connections, mostConnections),
    timeoutMs: options.timeoutMs ?? 10_000,
    samplesPerSecond: options.judge ? (options.samplesPerSecond ?? 40) : 0,
    seed: options.seed ?? 1,
  };
}

const SHORTEST_THROUGHPUT_MS = 1500;
const LONGEST_THROUGHPUT_MS = 5000;

/**
 * Length of the throughput phase in milliseconds. The closed model sends as much as the target takes, so there is no phase by
 * default if the rate is given, also by the scenario, or must stay small.
 */
function throughputTime(scenario: Scenario, options: PlanOptions, durationMs: number): number {
  const { model, rate, profile = 'steady', maxRate = Infinity, maxDurationMs = Infinity } = options;
  if (model === 'closed' || maxRate < 1 || scenario.flow) return 0;
  const isOff =
    rate !== undefined || options.stages !== undefined || profile === 'smoke' || scenario.throughput === false;
  const byDefault = isOff ? 0 : Math.max(SHORTEST_THROUGHPUT_MS, Math.min(LONGEST_THROUGHPUT_MS, durationMs / 5));
  return Math.min(options.throughputMs ?? byDefault, maxDurationMs / 2);
}

const highest = (segments: readonly Segment[]): number =>
  Math.max(...segments.map(({ from, to }) => Math.max(from, to)));

/** An executor within the maximum rate and duration. */
function limited({ executor, segments, users }: ExecutorPlan, durationMs: number, maxRate: number): ExecutorPlan {
  const atMost = (segment: Segment): Segment => ({
    ...segment,
    from: Math.min(segment.from, maxRate),
    to: Math.min(segment.to, maxRate),
  });
  return {
    executor,
    ...(segments && { segments: cutAt(segments, durationMs).map(atMost) }),
    ...(users && { users: { ...users, segments: cutAt(users.segments, durationMs) } }),
  };
}

const inSeconds = (ms: number): number => Number((ms / 1000).toFixed(1));

/** Length of the warm-up in milliseconds. A fixed number of iterations has none by default: it may end within one. */
function warmupTime({ executor }: ExecutorPlan, { warmupMs }: PlanOptions, durationMs: number): number {
  if (warmupMs === undefined) return executor.endsWith('iterations') ? 0 : Math.min(2000, durationMs / 5);
  if (warmupMs < durationMs) return warmupMs;
  const [warmup, duration] = [warmupMs, durationMs].map(inSeconds);
  throw usageError(
    `The warm-up of ${warmup} s leaves nothing to measure: the scenario ends after ${duration} s.`,
    'Shorten --warmup, or increase the duration.',
  );
}

/** Rate and durations of a scenario, within the limits of the user. Throws an AssayError (exit code 2) for options that do not fit. */
export function planOf(scenario: Scenario, options: PlanOptions, thresholds: readonly Threshold[] = []): Plan {
  const profile = options.profile ?? 'steady';
  if (options.model === 'closed' && (options.maxRate ?? 1) < 1)
    throw usageError('--engine closed sends at least one request per second.', 'Raise --max-rate, or omit --engine.');
  const executor = executorPlan(scenario.flow, options, options.durationMs);
  refuseIgnored(executor, options, scenario.flow !== undefined);
  const { durationMs: usual, mostRate = Infinity }: LoadProfile = LOAD_PROFILES[profile];
  const { maxRate = Infinity, maxDurationMs = Infinity } = options;
  const segments = executor.segments ?? executor.users?.segments;
  const wantedMs = segments ? scheduleDuration({ segments }) : (options.durationMs ?? usual);
  const throughputMs = throughputTime(scenario, options, wantedMs);
  const durationMs = Math.min(wantedMs, maxDurationMs - throughputMs);
  const rate = Math.min(executor.segments ? highest(executor.segments) : (options.rate ?? scenario.rate), mostRate);
  const warmupMs = warmupTime(executor, options, durationMs);
  const plan: Plan = {
    profile,
    executor: limited(executor, durationMs, maxRate),
    throughputMs,
    durationMs,
    rate: Math.min(rate, maxRate),
    warmupMs: Math.min(durationMs, Math.floor(warmupMs / SLICE_MS) * SLICE_MS),
    notes: [
      ...(rate > maxRate ? [`the rate was limited to ${maxRate} per second (--max-rate)`] : []),
      ...(durationMs < wantedMs ? [`the duration was limited to ${inSeconds(durationMs)} s (--max-duration)`] : []),
    ],
  };
  const isOpen = !scenario.flow && options.model !== 'closed';
  if (isOpen)
    refuseUnreachable(
      plan,
      isRateMeasured(plan, scenario, options) ? Math.min(mostRate, maxRate) : plan.rate,
      thresholds,
    );
  return plan;
}

/** Share of the measured throughput at which the open model measures latency. */
const LATENCY_SHARE = 0.5;
const NO_THROUGHPUT = 'the throughput phase measured no rate: too few of its requests were accepted';

/** True if the measured throughput sets the rate, because neither the user nor the scenario does. */
const isRateMeasured = ({ throughputMs }: Plan, { throughput }: Scenario, { rate, stages }: PlanOptions): boolean =>
  throughputMs > 0 && rate === undefined && stages === undefined && throughput !== false;

/** The plan at a share of the measured throughput, or at the rate that thresholds demand; unchanged if a rate is given. */
export function planAt(
  plan: Plan,
  throughput: number,
  options: LoadOptions,
  scenario: Scenario,
  thresholds: readonly Threshold[],
): Plan {
  if (throughput <= 0) return { ...plan, notes: [...plan.notes, NO_THROUGHPUT] };
  if (!isRateMeasured(plan, scenario, options)) return plan;
  const { mostRate = Infinity }: LoadProfile = LOAD_PROFILES[plan.profile];
  const wanted = Math.max(throughput * LATENCY_SHARE, rateToOffer(plan, thresholds));
  const rate = Math.min(wanted, mostRate, options.maxRate ?? Infinity);
  return { ...plan, rate: rate > 10 ? Math.round(rate) : rate };
}
