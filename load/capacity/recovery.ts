import { setTimeout as sleep } from 'node:timers/promises';
import type { ThroughputPhase } from '../../spec/index.ts';
import { SLICE_MS } from '../plan.ts';
import type { EngineSettings } from '../plan.ts';
import { runTrial } from '../trial.ts';
import type { Trial, TrialOptions } from '../trial.ts';
import type { TakenStep } from './record.ts';

export interface RecoveryOptions extends Pick<TrialOptions, 'target' | 'traffic'> {
  readonly settings: EngineSettings;
  readonly signal: AbortSignal;
  readonly firstId: number;
  readonly taken: readonly TakenStep[];
  /** How long to wait at most. */
  readonly limitMs: number;
  readonly maxRate?: number | undefined;
}

export interface Recovery {
  readonly tookMs: number;
  /** The time ended first. */
  readonly isStuck: boolean;
  /** One for each request. */
  readonly trials: readonly Trial[];
}

const SLOW_RECOVERY_MS = 2000;
/** A target that handles so many times the rate that it answers when it is overloaded, with so many times the latency, is fragile. */
const FRAGILE_RATE = 1.3;
const FRAGILE_LATENCY = 3;

/** The lowest median latency of the steps that met the thresholds; undefined if none did. */
function usualLatency(taken: readonly TakenStep[]): number | undefined {
  const p50s = taken.flatMap(({ step: { held, trial } }) =>
    held ? [trial.measurement.steady.latencies.percentile(50)] : [],
  );
  return p50s.length === 0 ? undefined : Math.min(...p50s);
}

/** True if the target did not recover from an overload, which ends the search. */
export function isStuck(recoveries: readonly Recovery[]): boolean {
  return recoveries.some((each) => each.isStuck);
}

/** True if the target recovers slowly, or answers less when every connection is busy than at a rate that it handles. */
export function isFragile(
  taken: readonly TakenStep[],
  recoveries: readonly Recovery[],
  busy: ThroughputPhase | undefined,
): boolean {
  if (recoveries.some(({ tookMs }) => tookMs > SLOW_RECOVERY_MS)) return true;
  const handled = Math.max(0, ...taken.map(({ rate, step }) => (step.held ? rate : 0)));
  if (busy === undefined || busy.rate === 0 || handled < busy.rate * FRAGILE_RATE) return false;
  return busy.latencyMs.p50 > FRAGILE_LATENCY * (usualLatency(taken) ?? Infinity);
}

/** One request in a slice. */
const RATE = 1000 / SLICE_MS;

const LONGEST_MS = 30_000;
/** A request that is answered so much later than usual may have found a queue, but not where another one takes as long. */
const NOISE_MS = 20;
const SAME_SHARE = 0.25;

/** Sends single requests until one is answered as fast as in steps that met the thresholds; undefined without such a step, or time. */
export async function awaitRecovery(options: RecoveryOptions): Promise<Recovery | undefined> {
  const { target, traffic, signal, taken } = options;
  const limitMs = Math.min(LONGEST_MS, options.limitMs);
  const usualMs = usualLatency(taken);
  if (usualMs === undefined || limitMs <= 0) return undefined;
  const startedAt = performance.now();
  const tookMs = (): number => performance.now() - startedAt;
  const trials: Trial[] = [];
  let last = Number.NaN;
  while (!signal.aborted) {
    if (tookMs() >= limitMs) return { tookMs: tookMs(), isStuck: true, trials };
    const trial = await runTrial({
      ...options.settings,
      target,
      traffic,
      signal,
      model: 'open',
      workers: 1,
      connections: 1,
      maxConnections: 1,
      samplesPerSecond: 0,
      keepsIds: false,
      warmupMs: 0,
      firstId: Math.max(options.firstId, ...trials.flatMap(({ nextIds }) => nextIds)),
      schedule: { arrivals: 'even', segments: [{ durationMs: SLICE_MS, from: RATE, to: RATE }] },
      limitMs: limitMs - tookMs(),
    });
    trials.push(trial);
    const { answered, failed, errors, latencies } = trial.measurement.whole;
    if (trial.lost !== undefined || failed > (errors['timeout'] ?? 0)) break;
    const latencyMs = answered > 0 ? latencies.percentile(100) : Number.NaN;
    if (latencyMs <= 2 * usualMs + NOISE_MS || Math.abs(latencyMs - last) <= last * SAME_SHARE) break;
    last = latencyMs;
    await sleep(Math.max(SLICE_MS, 1000 / (options.maxRate ?? Infinity)), undefined, { signal }).catch(() => {});
  }
  return { tookMs: tookMs(), isStuck: false, trials };
}
