import type { MeasuredSlice, ThroughputPhase } from '../spec/index.ts';
import { SLICE_MS } from './limits.ts';
import type { Means } from './limits.ts';
import { liveOf, measuredSlice } from './live.ts';
import type { LiveState } from './live.ts';
import { figuresOf } from './measurement.ts';
import type { ReadyScenario } from './prepare.ts';
import type { LoadTarget } from './target.ts';
import { runTrial } from './trial.ts';
import type { Trial, TrialOptions } from './trial.ts';

/** So many failures, and more of them than answers, end the phase. */
const MANY_FAILURES = 100;
const WARMUP_SHARE = 1 / 4;

export interface ThroughputOptions extends Pick<TrialOptions, 'signal' | 'onSamples' | 'remote'> {
  readonly ready: ReadyScenario;
  readonly target: LoadTarget;
  readonly means: Means;
  readonly durationMs: number;
  readonly maxRate: number | undefined;
  readonly onLive: ((state: LiveState) => void) | undefined;
  readonly onMeasured?: ((slice: MeasuredSlice) => void) | undefined;
}

/** What the phase measured, and the trial for audits and for the ids that it used. */
export interface Throughput {
  readonly trial: Trial;
  readonly phase: ThroughputPhase;
}

/** Measures throughput in the closed model: autocannon keeps every connection busy. */
export async function measureThroughput(options: ThroughputOptions): Promise<Throughput> {
  const { ready, target, means, maxRate, signal, onSamples, remote, onLive } = options;
  const durationMs = Math.ceil(options.durationMs / SLICE_MS) * SLICE_MS;
  const trial = await runTrial({
    ...means,
    target,
    traffic: ready.traffic,
    model: 'closed',
    durationMs,
    warmupMs: Math.floor((durationMs * WARMUP_SHARE) / SLICE_MS) * SLICE_MS,
    keepsIds: ready.prepared.audit !== undefined,
    ...(signal && { signal }),
    ...(remote && { remote }),
    ...(onSamples && { onSamples }),
    ...(maxRate === undefined ? {} : { maxRate }),
    onSlice: (view, measurement) => {
      const scenario = ready.scenario.name;
      onLive?.(liveOf({ scenario, stage: 'throughput', view, measurement, durationMs, schedule: undefined }));
      options.onMeasured?.(measuredSlice(scenario, 'throughput', view, undefined));
      const { failed, answered } = measurement.whole;
      return failed > MANY_FAILURES && failed > answered ? 'stop' : 'on';
    },
  });
  const { connections, workers } = means;
  return {
    trial,
    phase: { engine: 'autocannon', connections, workers, durationMs, ...figuresOf(trial.measurement.steady) },
  };
}
