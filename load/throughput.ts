import type { MeasuredSlice, ScenarioDetail, ThroughputPhase } from '../spec/index.ts';
import { SLICE_MS } from './plan.ts';
import type { EngineSettings } from './plan.ts';
import { Totals } from './measurement.ts';
import { liveOf, measuredSlice } from './live.ts';
import type { LiveSlice } from './live.ts';
import type { ReadyScenario } from './prepare.ts';
import type { LoadTarget } from './target.ts';
import { runTrial } from './trial.ts';
import type { Trial, TrialOptions } from './trial.ts';

/** The phase ends after more failures than this, if there are also more failures than accepted responses. */
const MANY_FAILURES = 100;
/** Share of the phase that is excluded from its figures. */
const WARMUP_SHARE = 1 / 4;

export interface ThroughputOptions extends Pick<TrialOptions, 'signal' | 'onSamples' | 'remote'> {
  readonly ready: ReadyScenario;
  readonly target: LoadTarget;
  readonly settings: EngineSettings;
  readonly durationMs: number;
  readonly maxRate: number | undefined;
  readonly onLive: ((state: LiveSlice) => void) | undefined;
  readonly onMeasured?: ((slice: MeasuredSlice) => void) | undefined;
}

/** The figures of the phase, and its trial for audits and used ids. */
export interface Throughput {
  readonly trial: Trial;
  readonly phase: ThroughputPhase;
}

/** Requests that were sent, or that a lost agent of a fleet may have sent, without an answer. */
function unansweredOf({ measurement: { whole }, fleet }: Trial): number {
  const statuses = Object.entries(whole.errors).filter(([name]) => /^\d+$/.test(name));
  const answered = statuses.reduce((sum, [, amount]) => sum + amount, whole.answered + whole.refused);
  return Math.max(0, whole.sent - answered, fleet?.requests.unknown ?? 0);
}

/** What all trials of a scenario sent, and what of it was accepted. */
export function sentBy(
  trials: readonly Trial[],
  throughput: Pick<Throughput, 'trial'> | undefined,
): Pick<ScenarioDetail, 'sent' | 'served'> {
  const all = new Totals();
  for (const { measurement } of trials) all.mergeTotals(measurement.whole);
  const first = throughput?.trial.measurement.whole.sent ?? 0;
  const unanswered = trials.reduce((sum, trial) => sum + unansweredOf(trial), 0);
  return {
    sent: { total: all.sent, throughput: first, unsent: all.unsent, unanswered },
    served: Object.fromEntries(all.served),
  };
}

/** Measures throughput in the closed model: autocannon keeps every connection busy. */
export async function measureThroughput(options: ThroughputOptions): Promise<Throughput> {
  const { ready, target, settings, maxRate, signal, onSamples, remote, onLive } = options;
  const durationMs = Math.ceil(options.durationMs / SLICE_MS) * SLICE_MS;
  const trial = await runTrial({
    ...settings,
    target,
    traffic: ready.traffic,
    model: 'closed',
    durationMs,
    warmupMs: Math.floor((durationMs * WARMUP_SHARE) / SLICE_MS) * SLICE_MS,
    keepsIds: ready.prepared.audit !== undefined,
    signal,
    remote,
    onSamples,
    maxRate,
    onSlice: (view, measurement) => {
      const scenario = ready.scenario.name;
      if (!view.draining)
        onLive?.(liveOf({ scenario, stage: 'throughput', view, measurement, durationMs, schedule: undefined }));
      options.onMeasured?.(measuredSlice(scenario, 'throughput', view, undefined));
      const { failed, answered } = measurement.whole;
      return failed > MANY_FAILURES && failed > answered ? 'stop' : 'on';
    },
  });
  const { connections, workers } = settings;
  return { trial, phase: { engine: 'autocannon', connections, workers, durationMs, ...trial.measurement.steady.all } };
}
