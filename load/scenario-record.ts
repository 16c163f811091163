import type { FlowFigures, LoadAudit, ScenarioDetail, ScenarioRecord, ThroughputPhase } from '../spec/index.ts';
import { defined } from '../spec/defined.ts';
import { driftOf } from './compare/drift.ts';
import { partsCompared } from './compare/parts.ts';
import { unreadNotes } from './compare/target-metrics.ts';
import type { ProcessSeries } from './compare/target-metrics.ts';
import type { LoadModel } from './engines/messages.ts';
import { busyShare, decidingLimit } from './generator-limit.ts';
import type { Judging } from './judging.ts';
import type { Measurement } from './measurement.ts';
import { auditNotes, flowNotes, STOPPED, trialNotes, unmeasuredNotes, warmUpNotes } from './notes.ts';
import type { StopReason } from './notes.ts';
import type { CommonOptions, LoadOptions } from './options.ts';
import { engineSettingsOf } from './plan.ts';
import { isConstant } from './profiles.ts';
import type { Plan } from './plan.ts';
import type { AuditResult, Scenario } from './scenarios/index.ts';
import { judgeThreshold, measuredOf } from './thresholds.ts';
import type { Threshold } from './thresholds.ts';
import type { Trial } from './trial.ts';

export interface RecordOptions extends Pick<ScenarioDetail, 'sent' | 'served'> {
  readonly scenario: Scenario;
  readonly plan: Plan;
  readonly trial: Trial;
  readonly throughput: ThroughputPhase | undefined;
  readonly judging: Judging | undefined;
  readonly thresholds: readonly Threshold[];
  readonly options: LoadOptions;
  readonly audited: AuditResult | undefined;
  readonly stopped: StopReason | undefined;
  /** Process metrics of the target during a soak run. */
  readonly processSeries?: ProcessSeries;
}

function partsOf({ steady, parts }: Measurement): ScenarioDetail['parts'] {
  return parts.map((part) => ({
    label: part.label,
    ...part.figures(steady.spanMs),
    operations: [...part.operations].map(([operation, tally]) => ({ operation, ...tally.figures(steady.spanMs) })),
  }));
}

function engineName({ flow }: Scenario, model: LoadModel): string {
  if (flow) return model === 'open' ? 'open (flow)' : 'virtual users';
  return model === 'open' ? 'open' : 'closed (autocannon)';
}

/** Iterations after the warm-up, and errors of the scenario in the whole run. */
function flowFigures({ steady, whole }: Measurement, { executor }: Plan): FlowFigures {
  const { flow, spanMs } = steady;
  const mistakes = whole.flow.mistakes.map(([text, count]) => ({ text, count }));
  return { ...flow.figures(executor.executor, spanMs), mistakes };
}

/** What the scenario records of load and capacity runs are made from. */
export interface BaseRecord
  extends Pick<ScenarioDetail, 'profile' | 'durationMs' | 'warmupMs'>, Pick<ScenarioRecord, 'offeredRate' | 'notes'> {
  readonly scenario: Scenario;
  readonly model: LoadModel;
  readonly measurement: Measurement;
  readonly judging: Judging | undefined;
  readonly thresholds: readonly Threshold[];
  /** Violations that count for the thresholds. */
  readonly violations: number;
  readonly options: CommonOptions;
  readonly detail: Partial<ScenarioDetail>;
}

export function baseRecord(given: BaseRecord): ScenarioRecord {
  const { scenario, model, measurement, judging, thresholds, violations, detail } = given;
  const { offeredRate, notes, profile, durationMs, warmupMs } = given;
  const { whole, steady, lag, busy } = measurement;
  const measured = measuredOf(measurement, violations);
  const { connections, workers } = engineSettingsOf(given.options);
  return {
    type: 'scenario',
    name: scenario.name,
    engine: engineName(scenario, model),
    offeredRate,
    ...steady.all,
    histogram: steady.latencies.base64(),
    thresholds: thresholds.map((threshold) => judgeThreshold(threshold, measured)),
    contractViolations: judging?.violating ?? 0,
    findings: judging?.findings() ?? [],
    notes,
    detail: {
      title: scenario.title,
      model,
      profile,
      connections,
      workers,
      durationMs,
      warmupMs,
      judgedOn: 'steady',
      whole: whole.all,
      lagMs: lag.latency(),
      busy: busyShare(busy),
      late: whole.late,
      unsent: whole.unsent,
      judged: judging?.judged ?? 0,
      violating: judging?.violating ?? 0,
      parts: partsOf(measurement),
      ...(judging && judging.slowest.length > 0 ? { slowest: judging.slowest } : {}),
      ...detail,
    },
  };
}

function withoutFindings({ acknowledged, present, missing, duplicated, examples }: AuditResult): LoadAudit {
  return { acknowledged, present, missing, duplicated, examples };
}

export function scenarioRecord(given: RecordOptions): ScenarioRecord {
  const { scenario, plan, trial, throughput, judging, thresholds, options, audited, stopped } = given;
  const { measurement } = trial;
  const model = plan.executor.users ? 'closed' : (options.model ?? 'open');
  const drift = plan.profile === 'soak' ? driftOf(measurement, plan.warmupMs, given.processSeries) : undefined;
  const compared = scenario.compares ? partsCompared(measurement.parts) : undefined;
  const violations = (judging?.violating ?? 0) + (audited ? audited.missing + audited.duplicated : 0);
  const record = baseRecord({
    ...plan,
    scenario,
    model,
    measurement,
    judging,
    thresholds,
    violations,
    options,
    offeredRate: model === 'open' && measurement.views.length > 0 ? plan.rate : 0,
    notes: [
      ...plan.notes,
      ...(stopped ? [STOPPED[stopped]] : []),
      ...(scenario.flow ? flowNotes(measurement.whole.flow, measurement.whole.requests) : []),
      ...(stopped === 'interrupted' ? [] : warmUpNotes(measurement.steady.requests, measurement.whole.requests)),
      ...unmeasuredNotes(thresholds, measuredOf(measurement, 0)),
      ...trialNotes(trial, thresholds, judging),
      ...(audited ? auditNotes(audited) : []),
      ...(drift?.notes ?? []),
      ...unreadNotes(options.targetMetrics, given.processSeries),
      ...(compared ? [compared.note] : []),
    ],
    detail: {
      ...defined({ throughput, sent: given.sent, served: given.served }),
      ...(scenario.flow && { flow: flowFigures(measurement, plan) }),
      ...(compared && { partsCompared: compared }),
      ...(audited && { audit: withoutFindings(audited) }),
      ...(drift && { drift }),
      ...(!isConstant(plan.profile, plan.executor.segments) && { varies: true as const }),
      ...(stopped && { stopped }),
      ...(trial.fleet && { fleet: trial.fleet }),
    },
  });
  const limit = stopped ? undefined : decidingLimit(record, trial, thresholds, plan);
  return {
    ...record,
    ...(limit !== undefined && record.detail && { detail: { ...record.detail, generatorLimit: limit } }),
    contractViolations: violations,
    findings: [...(record.findings ?? []), ...(audited?.findings ?? [])],
  };
}
