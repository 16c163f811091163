import { AssayError, EXIT } from '../spec/index.ts';
import { PROFILES } from './profiles.ts';
import type { Profile, ProfileName } from './profiles.ts';
import type { CommonOptions, LoadOptions } from './options.ts';
import type { Scenario } from './scenarios/index.ts';

export const SLICE_MS = 250;

/** How a scenario will be run, with every choice made. */
export interface Plan {
  readonly profile: ProfileName;
  readonly rate: number;
  readonly durationMs: number;
  readonly warmupMs: number;
  readonly notes: readonly string[];
}

/** Connections, threads and time limits, with every choice made. */
export interface Means {
  readonly connections: number;
  readonly maxConnections: number;
  readonly workers: number;
  readonly timeoutMs: number;
  readonly samplesPerSecond: number;
  readonly seed: number;
}

const GROWTH = 4;

export function meansOf(options: CommonOptions): Means {
  const workers = options.workers ?? 1;
  const connections = Math.max(workers, options.connections ?? 50);
  return {
    workers,
    connections,
    maxConnections: Math.max(
      connections,
      options.maxConnections ?? (options.connections === undefined ? connections * GROWTH : connections),
    ),
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

/** Names every option that can't be: one AssayError, exit code 2. */
export function checkOptions(options: CommonOptions & Partial<LoadOptions>): void {
  const problems = POSITIVE.flatMap((name) => {
    const value = options[name];
    return value === undefined || (Number.isFinite(value) && value > 0) ? [] : [`${name} is ${value}`];
  });
  if (options.warmupMs !== undefined && !(options.warmupMs >= 0)) problems.push(`warmupMs is ${options.warmupMs}`);
  if (options.profile !== undefined && !(options.profile in PROFILES))
    problems.push(`there is no profile "${options.profile}"`);
  if (problems.length === 0) return;
  throw new AssayError(`Load can't run so: ${problems.join('; ')}.`, {
    hint: `Numbers must be above 0; profiles are ${Object.keys(PROFILES).join(', ')}.`,
    exitCode: EXIT.usage,
  });
}

function atMost(value: number, limit: number | undefined, note: (limit: number) => string, notes: string[]): number {
  if (limit === undefined || value <= limit) return value;
  notes.push(note(limit));
  return limit;
}

/** Rate and times for one scenario, under the user's limits. */
export function planOf(scenario: Scenario, options: LoadOptions): Plan {
  const profile = options.profile ?? 'steady';
  const shape: Profile = PROFILES[profile];
  const notes: string[] = [];
  const wanted = Math.min(options.rate ?? scenario.rate, shape.mostRate ?? Infinity);
  const rate = atMost(wanted, options.maxRate, (limit) => `the rate was held down to ${limit}/s (max rate)`, notes);
  const durationMs = atMost(
    options.durationMs ?? shape.durationMs,
    options.maxDurationMs,
    (limit) => `the duration was held down to ${limit / 1000} s (max duration)`,
    notes,
  );
  const warmupMs = options.warmupMs ?? Math.min(2000, durationMs / 5);
  return {
    profile,
    rate,
    durationMs,
    warmupMs: Math.min(durationMs, Math.floor(warmupMs / SLICE_MS) * SLICE_MS),
    notes,
  };
}
