import type { RunRecord, ScenarioRecord } from '../spec/index.ts';
import { acknowledgedBy } from './acknowledged.ts';
import { findScenario } from './find-scenario.ts';
import { Judging } from './judging.ts';
import { checkOptions, meansOf, planOf, SLICE_MS } from './limits.ts';
import type { Plan } from './limits.ts';
import { liveOf, TickClock } from './live.ts';
import type { LoadOptions } from './options.ts';
import { forbidden, newRunId, nothingAllowed, prepareScenario } from './prepare.ts';
import type { ReadyScenario } from './prepare.ts';
import { scheduleOf } from './profiles.ts';
import { produced } from './record-queue.ts';
import { scenarioRecord } from './scenario-record.ts';
import type { StopReason } from './scenario-record.ts';
import { DEFAULT_SCENARIO } from './scenarios/index.ts';
import type { AuditResult, Scenario } from './scenarios/index.ts';
import { ErrorStorm } from './storm.ts';
import { parseThresholds } from './thresholds.ts';
import type { Threshold } from './thresholds.ts';
import { runTrial } from './trial.ts';
import type { Trial } from './trial.ts';

/** What is under way at the end of the longest time allowed gets this long. */
const DRAIN_MS = 1000;

type Push = (record: RunRecord) => void;

interface Measuring {
  readonly options: LoadOptions;
  readonly ready: ReadyScenario;
  readonly plan: Plan;
  readonly thresholds: readonly Threshold[];
  readonly push: Push;
}

interface Outcome {
  readonly trial: Trial;
  readonly judging: Judging | undefined;
  readonly stopped: StopReason | undefined;
}

async function measure({ options, ready, plan, push }: Measuring): Promise<Outcome> {
  const { scenario, prepared, traffic } = ready;
  const { durationMs, rate, profile, warmupMs } = plan;
  const model = options.model ?? 'open';
  const schedule = model === 'open' ? scheduleOf(profile, rate, durationMs, options.arrivals ?? 'even') : undefined;
  const clock = new TickClock({
    scenario: scenario.name,
    sliceMs: SLICE_MS,
    durationMs,
    ...(schedule && { schedule }),
    onTick: push,
  });
  const judging =
    options.judge && new Judging({ requests: prepared.requests, target: options.target, judge: options.judge });
  const storm = new ErrorStorm(options.stormShare ?? 0.5, SLICE_MS);
  let raged = false;
  const trial = await runTrial({
    ...meansOf(options),
    target: options.target,
    traffic,
    model,
    warmupMs,
    sliceMs: SLICE_MS,
    keepsIds: prepared.audit !== undefined,
    ...(schedule
      ? { schedule }
      : { durationMs, ...(options.maxRate === undefined ? {} : { maxRate: options.maxRate }) }),
    ...(options.signal && { signal: options.signal }),
    ...(options.maxDurationMs === undefined ? {} : { limitMs: options.maxDurationMs + DRAIN_MS }),
    ...(judging && { onSamples: (samples) => judging.add(samples) }),
    onSlice: (view, measurement) => {
      clock.add(view);
      options.onLive?.(
        liveOf({ scenario: scenario.name, stage: profile, view, measurement, sliceMs: SLICE_MS, durationMs, schedule }),
      );
      raged ||= storm.rages(view);
      return raged ? 'stop' : 'on';
    },
  });
  clock.flush();
  const stopped = raged
    ? 'error-storm'
    : options.signal?.aborted
      ? 'interrupted'
      : trial.stopped
        ? 'time-limit'
        : undefined;
  return { trial, judging, stopped };
}

async function audit({ ready, options }: Measuring, trial: Trial): Promise<AuditResult | undefined> {
  if (!ready.prepared.audit || options.signal?.aborted) return undefined;
  return ready.prepared.audit(acknowledgedBy(trial, ready.runId, ready.traffic.fieldWidth));
}

async function runScenario(
  scenario: Scenario,
  thresholds: readonly Threshold[],
  options: LoadOptions,
  push: Push,
): Promise<ScenarioRecord> {
  const plan = planOf(scenario, options);
  const ready = await prepareScenario(scenario, options);
  try {
    const measuring = { options, ready, plan, thresholds, push };
    const outcome = await measure(measuring);
    const audited = await audit(measuring, outcome.trial);
    return scenarioRecord({ ...outcome, scenario, plan, thresholds, options, audited });
  } finally {
    await ready.prepared.teardown?.();
  }
}

function skipped(scenario: Scenario, effects: readonly string[]): RunRecord {
  return {
    type: 'test',
    name: `load > ${scenario.name}`,
    suite: 'load',
    checks: [],
    requirements: [],
    verdict: 'skipped',
    reason: `effects not allowed: ${effects.join(', ')} (--allow)`,
    startedAt: new Date().toISOString(),
    durationMs: 0,
    statuses: [],
    cases: 0,
    findings: [],
  };
}

async function produce(options: LoadOptions, push: Push): Promise<void> {
  checkOptions(options);
  const named = options.scenarios.length > 0 ? options.scenarios : [DEFAULT_SCENARIO];
  const scenarios = await Promise.all(named.map((one) => findScenario(one)));
  const judged = scenarios.map((scenario) => ({
    scenario,
    thresholds: parseThresholds(options.thresholds ?? scenario.thresholds),
  }));
  if (scenarios.every((scenario) => forbidden(scenario, options.allow).length > 0))
    throw nothingAllowed(scenarios, options.allow);
  const runId = options.runId ?? newRunId();
  for (const [index, { scenario, thresholds }] of judged.entries()) {
    const effects = forbidden(scenario, options.allow);
    if (options.signal?.aborted) return;
    push(
      effects.length > 0
        ? skipped(scenario, effects)
        : await runScenario(scenario, thresholds, { ...options, runId: runId + index.toString(36) }, push),
    );
  }
}

/**
 * Runs scenarios one after the other and tells ticks, and a scenario record at the end of each. Wrong options, unknown
 * scenarios and thresholds that can't be read throw an AssayError (exit code 2) before anything is sent.
 */
export function runLoad(options: LoadOptions): AsyncIterable<RunRecord> {
  return produced((push) => produce(options, push));
}
