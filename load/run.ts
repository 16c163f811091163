import type { RunRecord } from '../spec/index.ts';
import { COUNTER_DIGITS, fieldFront, workerFront } from './engines/traffic.ts';
import { findScenario } from './find-scenario.ts';
import { Judging } from './judging.ts';
import { engineSettingsOf, planAt, planOf, SLICE_MS } from './plan.ts';
import type { Plan } from './plan.ts';
import { liveOf, measuredSlice, TickClock } from './live.ts';
import type { LoadOptions } from './options.ts';
import { checkOperations, forbidden, newRunId, nothingAllowed, prepareScenario, remoteOf } from './prepare.ts';
import type { ReadyScenario } from './prepare.ts';
import { scheduleOf } from './profiles.ts';
import { flowError } from './flow/errors.ts';
import { FlowWatch } from './flow/watch.ts';
import { recordStream } from './record-stream.ts';
import type { StopReason } from './notes.ts';
import { scenarioRecord } from './scenario-record.ts';
import type { RecordOptions } from './scenario-record.ts';
import { DEFAULT_SCENARIO } from './scenarios/index.ts';
import type { Acknowledged, AuditResult, Scenario } from './scenarios/index.ts';
import { Stopping } from './stopping.ts';
import { checkParts, parseThresholds } from './thresholds.ts';
import type { Threshold } from './thresholds.ts';
import { measureThroughput, sentBy } from './throughput.ts';
import type { Throughput } from './throughput.ts';
import { TargetMetrics } from './compare/target-metrics.ts';
import { originOf } from './target.ts';
import { runTrial } from './trial.ts';
import type { Trial } from './trial.ts';

/** Time for requests that are due to be sent after the maximum duration. */
const DRAIN_MS = 1000;

type Push = (record: RunRecord) => void;

interface Run {
  readonly options: LoadOptions;
  readonly ready: ReadyScenario;
  readonly judging: Judging | undefined;
  readonly thresholds: readonly Threshold[];
  readonly push: Push;
}

function stopReason(trial: Trial, signal: AbortSignal | undefined): StopReason | undefined {
  if (signal?.aborted) return 'interrupted';
  if (trial.lost !== undefined) return 'token-refused';
  if (!trial.stopped) return undefined;
  return trial.fleet && trial.fleet.lost.length > 0 ? 'agent-lost' : 'time-limit';
}

/** Runs the throughput phase, if the plan has one. */
async function throughputOf({ options, ready, judging }: Run, plan: Plan): Promise<Throughput | undefined> {
  if (plan.throughputMs === 0) return undefined;
  return measureThroughput({
    ready,
    target: options.target,
    settings: engineSettingsOf(options),
    durationMs: plan.throughputMs,
    maxRate: options.maxRate,
    onLive: options.onLive,
    onMeasured: options.onMeasured,
    remote: remoteOf(options, ready, judging),
    signal: options.signal,
    onSamples: judging && ((samples) => judging.add(samples)),
  });
}

/** The address of the target's process metrics. */
function metricsUrl({ targetMetrics, target }: LoadOptions): string {
  return targetMetrics ?? `${originOf(target)}/metrics`;
}

async function measure(
  run: Run,
  plan: Plan,
  firstId: number,
): Promise<Pick<RecordOptions, 'trial' | 'stopped' | 'processSeries'>> {
  const { options, ready, judging, push } = run;
  const { scenario, prepared, traffic } = ready;
  const { durationMs, rate, profile, warmupMs } = plan;
  const { model = 'open', signal, maxRate, maxDurationMs, arrivals = 'even' } = options;
  const { segments, users } = plan.executor;
  const schedule = model === 'open' && !users ? scheduleOf(profile, rate, durationMs, arrivals, segments) : undefined;
  const shown = { scenario: scenario.name, durationMs, ...(ready.flow && { offers: 'iterations' as const }) };
  const thresholds = run.thresholds.map(({ expression }) => expression);
  const isCounted = users !== undefined && Number.isFinite(Math.min(users.each, users.all));
  const clock = new TickClock({ ...shown, ...(schedule && { schedule }), onTick: push });
  const flow = ready.flow && new FlowWatch(ready.flow, options);
  await flow?.begin();
  const stopping = new Stopping({
    flow,
    thresholds: options.abortOnFail ? run.thresholds : [],
    violations: () => judging?.violating ?? 0,
  });
  const watched = profile === 'soak' ? new TargetMetrics(metricsUrl(options), durationMs) : undefined;
  const trial = await runTrial({
    ...engineSettingsOf(options),
    target: options.target,
    traffic,
    ...(ready.flow && {
      flow: { ...ready.flow, ...(users && { users }), ...(maxRate === undefined ? {} : { maxRate }) },
    }),
    model,
    warmupMs,
    firstId,
    keepsIds: prepared.audit !== undefined,
    remote: remoteOf(options, ready, judging),
    ...(schedule ? { schedule } : { durationMs, maxRate }),
    signal,
    cutMs: maxDurationMs === undefined ? undefined : maxDurationMs - plan.throughputMs + DRAIN_MS,
    onSamples: judging && ((samples) => judging.add(samples)),
    onSlice: (view, measurement) => {
      clock.add(view);
      const live = liveOf({ ...shown, stage: profile, view, measurement, schedule });
      options.onLive?.({ ...live, ...(isCounted && { leftMs: Infinity }), thresholds });
      options.onMeasured?.(
        measuredSlice(scenario.name, view.index * SLICE_MS < warmupMs ? 'warmup' : 'steady', view, schedule),
      );
      return stopping.add(view, measurement);
    },
  }).finally(() => watched?.stop());
  clock.flush();
  await flow?.settled();
  const stopped = stopping.reason ?? stopReason(trial, signal);
  return { trial, stopped, ...(watched && { processSeries: watched }) };
}

/** Measures, and repeats that once if a part of the load was missing and the user wants it. */
async function measureFully(run: Run, plan: Plan, firstId: number): ReturnType<typeof measure> {
  const measured = await measure(run, plan, firstId);
  const { fleet, nextIds } = measured.trial;
  const isRepeated = run.options.senders?.repeatsLost === true && fleet !== undefined && fleet.gaps.length > 0;
  return isRepeated && measured.stopped === undefined ? measure(run, plan, Math.max(firstId, ...nextIds)) : measured;
}

/** The ids that the trials of a run sent, and which of them were acknowledged. */
function acknowledgedBy(trials: readonly Trial[], runId: string, fieldWidth: number): Acknowledged {
  const front = fieldFront(runId, fieldWidth);
  const digits = (id: number): string => id.toString(36).padStart(COUNTER_DIGITS, '0').slice(-COUNTER_DIGITS);
  return {
    count: trials.reduce((sum, trial) => sum + trial.measurement.whole.answered, 0),
    idWidth: fieldWidth,
    *ids() {
      for (const { firstId, nextIds, failedIds } of trials)
        for (const [worker, next] of nextIds.entries()) {
          const own = front + workerFront(worker, fieldWidth);
          for (let id = firstId; id < next; id += 1)
            yield { id: own + digits(id), acknowledged: failedIds[worker]?.has(id) !== true };
        }
    },
  };
}

/** Throughput, measurement and audit; a lost token, or an error of the audit, is part of the result, so that the figures are not lost. */
async function measureScenario(
  run: Run,
  first: Plan,
): Promise<Omit<RecordOptions, 'scenario' | 'thresholds' | 'options' | 'judging'> & { readonly failure?: unknown }> {
  const { options, ready } = run;
  const throughput = await throughputOf(run, first);
  const isCut = options.signal?.aborted === true && throughput?.phase.rate === 0;
  const plan =
    throughput && !isCut ? planAt(first, throughput.phase.rate, options, ready.scenario, run.thresholds) : first;
  const measured = await measureFully(run, plan, Math.max(0, ...(throughput?.trial.nextIds ?? [])));
  const trials = [...(throughput ? [throughput.trial] : []), measured.trial];
  const failure = trials.find(({ lost }) => lost !== undefined)?.lost;
  const result = {
    ...measured,
    plan,
    throughput: isCut ? undefined : throughput?.phase,
    ...sentBy(trials, throughput),
    failure,
  };
  if (options.signal?.aborted || failure !== undefined) return { ...result, audited: undefined };
  const { prepared, runId, traffic } = ready;
  try {
    const audited: AuditResult | undefined = await prepared.audit?.(acknowledgedBy(trials, runId, traffic.fieldWidth));
    return { ...result, audited };
  } catch (failure) {
    return { ...result, audited: undefined, failure };
  }
}

/** Pushes the record of a scenario; an error of its audit, its teardown or its flow is thrown after that. */
async function runScenario(
  scenario: Scenario,
  thresholds: readonly Threshold[],
  options: LoadOptions,
  push: Push,
): Promise<void> {
  const first = planOf(scenario, options, thresholds);
  const ready = await prepareScenario(scenario, options);
  const { prepared, traffic } = ready;
  const { target, judge, contract } = options;
  try {
    if (!ready.flow) checkParts(thresholds, traffic.series);
    const judging = judge && new Judging({ requests: prepared.requests, target, judge, contract });
    const { failure, ...measured } = await measureScenario({ options, ready, judging, thresholds, push }, first);
    const record = scenarioRecord({ ...measured, judging, scenario, thresholds, options });
    push(record);
    const mistake = failure ?? flowError(record);
    if (mistake !== undefined) throw mistake;
  } finally {
    options.onRemoving?.();
    await prepared.teardown?.();
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
  const named = options.scenarios.length > 0 ? options.scenarios : [DEFAULT_SCENARIO];
  const scenarios = await Promise.all(named.map((one) => findScenario(one)));
  const judged = scenarios.map((scenario) => ({
    scenario,
    thresholds: parseThresholds(options.thresholds ?? scenario.thresholds),
  }));
  checkOperations(scenarios, options.contract);
  if (scenarios.every((scenario) => forbidden(scenario, options.allow).length > 0))
    throw nothingAllowed(scenarios, options.allow);
  const runId = options.runId ?? newRunId();
  for (const [index, { scenario, thresholds }] of judged.entries()) {
    const effects = forbidden(scenario, options.allow);
    if (options.signal?.aborted) return;
    if (effects.length > 0) {
      push(skipped(scenario, effects));
      continue;
    }
    await runScenario(scenario, thresholds, { ...options, runId: runId + index.toString(36) }, push);
  }
}

/**
 * Runs scenarios one after the other. Yields tick records and one scenario record per scenario. Invalid options, unknown
 * scenarios and invalid thresholds throw an AssayError (exit code 2) before any request is sent.
 */
export function runLoad(options: LoadOptions): AsyncIterable<RunRecord> {
  return recordStream((push) => produce(options, push));
}
