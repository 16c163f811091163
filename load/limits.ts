import { AssayError, EXIT } from '../spec/index.ts';
import { executorPlan } from './flow/plan.ts';
import type { ExecutorPlan } from './flow/plan.ts';
import type { Segment } from './engines/schedule.ts';
import { PROFILES } from './profiles.ts';
import type { Profile, ProfileName } from './profiles.ts';
import type { CommonOptions, LoadOptions } from './options.ts';
import type { Scenario } from './scenarios/index.ts';

export const SLICE_MS = 250;

/** How a scenario is run, with all defaults filled in. */
export interface Plan {
  readonly profile: ProfileName;
  /** Requests per second of the open model; where throughput is measured first, the rate in case that fails. */
  readonly rate: number;
  /** Length of the throughput phase; 0: none. */
  readonly throughputMs: number;
  readonly durationMs: number;
  readonly warmupMs: number;
  readonly notes: readonly string[];
  /** What starts requests or iterations. */
  readonly executor: ExecutorPlan;
}

/** Connections, threads and time limits, with all defaults filled in. */
export interface Means {
  readonly connections: number;
  readonly maxConnections: number;
  readonly workers: number;
  readonly timeoutMs: number;
  readonly samplesPerSecond: number;
  readonly seed: number;
}

const GROWTH = 4;

export function meansOf(
  options: Pick<
    CommonOptions,
    'workers' | 'connections' | 'maxConnections' | 'timeoutMs' | 'judge' | 'samplesPerSecond' | 'seed'
  >,
): Means {
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

const POSITIVE = [
  'connections',
  'maxConnections',
  'workers',
  'timeoutMs',
  'maxRate',
  'maxDurationMs',
  'bodyBytes',
  'items',
  'rate',
  'durationMs',
] as const;
const NOT_NEGATIVE = ['warmupMs', 'throughputMs'] as const;

/** Names every invalid option in one AssayError (exit code 2). */
export function checkOptions(options: CommonOptions & Partial<LoadOptions>): void {
  const problems = [
    ...POSITIVE.filter((name) => options[name] !== undefined && !(Number.isFinite(options[name]) && options[name] > 0)),
    ...NOT_NEGATIVE.filter((name) => options[name] !== undefined && !(options[name] >= 0)),
  ].map((name) => `${name} is ${options[name]}`);
  if (options.profile !== undefined && !(options.profile in PROFILES))
    problems.push(`there is no profile "${options.profile}"`);
  if (options.model === 'closed' && options.maxRate !== undefined && options.maxRate < 1)
    problems.push('the closed engine has no maximum rate below 1 per second');
  if (problems.length === 0) return;
  throw new AssayError(`Invalid load options: ${problems.join('; ')}.`, {
    hint: `Numbers must be above 0; profiles are ${Object.keys(PROFILES).join(', ')}.`,
    exitCode: EXIT.usage,
  });
}

const SHORTEST_THROUGHPUT_MS = 1500;
const LONGEST_THROUGHPUT_MS = 5000;

/**
 * How long throughput is measured. Not by default where the rate is given or must stay small, or where each request
 * leaves something that must be removed: the closed model sends as much as the target takes.
 */
function throughputTime(scenario: Scenario, options: LoadOptions, durationMs: number): number {
  const { model, rate, profile = 'steady', maxRate = Infinity, maxDurationMs = Infinity } = options;
  if (model === 'closed' || maxRate < 1 || scenario.flow) return 0;
  const isOff =
    rate !== undefined || options.stages !== undefined || profile === 'smoke' || scenario.throughput === false;
  const byDefault = isOff ? 0 : Math.max(SHORTEST_THROUGHPUT_MS, Math.min(LONGEST_THROUGHPUT_MS, durationMs / 5));
  return Math.min(options.throughputMs ?? byDefault, maxDurationMs / 2);
}

const lengthOf = (segments: readonly Segment[]): number => segments.reduce((sum, each) => sum + each.durationMs, 0);
const highest = (segments: readonly Segment[]): number =>
  Math.max(...segments.map(({ from, to }) => Math.max(from, to)));

function atMost(segments: readonly Segment[], most: number): Segment[] {
  return segments.map((each) => ({ ...each, from: Math.min(each.from, most), to: Math.min(each.to, most) }));
}

/** Rate and durations for one scenario, within the user's limits. */
export function planOf(scenario: Scenario, options: LoadOptions): Plan {
  const profile = options.profile ?? 'steady';
  const executor = executorPlan(scenario.flow, options, options.durationMs);
  const { durationMs: usual, mostRate = Infinity }: Profile = PROFILES[profile];
  const { maxRate = Infinity, maxDurationMs = Infinity } = options;
  const segments = executor.segments ?? executor.users?.segments;
  const wantedMs = segments ? lengthOf(segments) : (options.durationMs ?? usual);
  const throughputMs = throughputTime(scenario, options, wantedMs);
  const durationMs = Math.min(wantedMs, maxDurationMs - throughputMs);
  const rate = Math.min(executor.segments ? highest(executor.segments) : (options.rate ?? scenario.rate), mostRate);
  const warmupMs = options.warmupMs ?? Math.min(2000, durationMs / 5);
  return {
    profile,
    executor: executor.segments ? { ...executor, segments: atMost(executor.segments, maxRate) } : executor,
    throughputMs,
    durationMs,
    rate: Math.min(rate, maxRate),
    warmupMs: Math.min(durationMs, Math.floor(warmupMs / SLICE_MS) * SLICE_MS),
    notes: [
      ...(rate > maxRate ? [`the rate was limited to ${maxRate} per second (--max-rate)`] : []),
      ...(durationMs < wantedMs
        ? [`the duration was limited to ${Number((durationMs / 1000).toFixed(1))} s (--max-duration)`]
        : []),
    ],
  };
}

/** Share of the measured throughput at which the open model measures latency. */
const LATENCY_SHARE = 0.5;

/** The plan at a share of the throughput; unchanged where a rate is given or nothing was answered. */
export function planAt(plan: Plan, throughput: number, options: LoadOptions): Plan {
  if (throughput <= 0) return { ...plan, notes: [...plan.notes, 'the throughput phase received no accepted answer'] };
  if (options.rate !== undefined) return plan;
  const { mostRate = Infinity }: Profile = PROFILES[plan.profile];
  const rate = Math.min(throughput * LATENCY_SHARE, mostRate, options.maxRate ?? Infinity);
  return { ...plan, rate: rate > 10 ? Math.round(rate) : rate };
}
