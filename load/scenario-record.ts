import type { FlowFigures, LoadAudit, ScenarioDetail, ScenarioRecord, ThroughputPhase } from '../spec/index.ts';
import type { Judging } from './judging.ts';
import { meansOf } from './limits.ts';
import type { Plan } from './limits.ts';
import { figuresOf } from './measurement.ts';
import type { Measurement } from './measurement.ts';
import type { Model } from './engines/messages.ts';
import type { CommonOptions, LoadOptions } from './options.ts';
import type { AuditResult, Scenario } from './scenarios/index.ts';
import { judgeThreshold } from './thresholds.ts';
import type { Measured, Threshold } from './thresholds.ts';
import type { Trial } from './trial.ts';
import { busyShare, generatorLimit, measuredOf, notesOf } from './verdict.ts';
import { partsCompared } from './compare/parts.ts';
import type { ProcessSample } from './compare/target-metrics.ts';
import { driftOf } from './compare/drift.ts';

export type StopReason = NonNullable<ScenarioDetail['stopped']>;

export interface RecordOptions {
  readonly scenario: Scenario;
  readonly plan: Plan;
  readonly trial: Trial;
  readonly throughput: ThroughputPhase | undefined;
  readonly judging: Judging | undefined;
  readonly thresholds: readonly Threshold[];
  readonly options: LoadOptions;
  readonly audited: AuditResult | undefined;
  readonly stopped: StopReason | undefined;
  /** What the process of the target told during a soak run. */
  readonly processSamples?: readonly ProcessSample[];
}

const STOPPED: Readonly<Record<StopReason, string>> = {
  'error-storm': 'stopped: most requests failed for three seconds',
  'scenario-error': 'stopped: the scenario has an error',
  threshold: 'stopped: a threshold was missed for three seconds (--abort-on-fail)',
  interrupted: 'interrupted',
  'time-limit': 'stopped at the time limit',
  'agent-lost': 'stopped: an agent was lost (--on-loss stop)',
};

function partsOf({ steady, parts }: Measurement): ScenarioDetail['parts'] {
  return parts.map((part) => ({
    label: part.label,
    ...part.figures(steady.spanMs),
    operations: [...part.operations].map(([operation, tally]) => ({ operation, ...tally.figures(steady.spanMs) })),
  }));
}

function engineName({ flow }: Scenario, model: Model): string {
  if (flow) return model === 'open' ? 'open (flow)' : 'virtual users';
  return model === 'open' ? 'open' : 'closed (autocannon)';
}

function flowFigures(measurement: Measurement, period: 'whole' | 'steady', { executor }: Plan): FlowFigures {
  const { flow, spanMs } = measurement[period];
  return { ...flow.figures(executor.executor, spanMs), mistakes: measurement.whole.flow.figures('', 0).mistakes };
}

/** What the scenario records of load and capacity runs are made from. */
export interface BaseRecord
  extends
    Pick<ScenarioDetail, 'profile' | 'durationMs' | 'warmupMs' | 'judgedOn'>,
    Pick<ScenarioRecord, 'offeredRate' | 'notes'> {
  readonly scenario: Scenario;
  readonly model: Model;
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
  const { offeredRate, notes, profile, durationMs, warmupMs, judgedOn } = given;
  const { whole, lag, busy } = measurement;
  const totals = measurement[judgedOn];
  const { connections, workers } = meansOf(given.options);
  return {
    type: 'scenario',
    name: scenario.name,
    engine: engineName(scenario, model),
    offeredRate,
    ...figuresOf(totals),
    histogram: totals.latencies.base64(),
    thresholds: thresholds.map((threshold) => judgeThreshold(threshold, measuredOf(measurement, judgedOn, violations))),
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
      judgedOn,
      whole: figuresOf(whole),
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

const LEAST_RATE_SHARE = 0.99;

/** Whether a missed threshold might hold if the generator had not lagged; a lower rate may always be its doing. */
function isDoubtful({ metric, limit }: Threshold, value: number, lagMs: number): boolean {
  return metric === 'rate' || (/^(?:p\d|mean|max)/.test(metric) && value - lagMs <= limit);
}

/** Less was sent than the profile offers, although nothing failed. */
function isShort(
  { requests, rate, offeredRate, errors, detail }: ScenarioRecord,
  { profile, executor }: Plan,
): boolean {
  const isConstant = (profile === 'steady' || profile === 'soak') && executor.segments === undefined && !detail?.flow;
  return isConstant && requests > 0 && Object.keys(errors).length === 0 && rate < offeredRate * LEAST_RATE_SHARE;
}

/**
 * Why the generator, not the target, decides. Its lag makes latencies worse, never better: thresholds that hold do hold, and
 * what is missed by more than the lag is missed.
 */
function decidingLimit(record: ScenarioRecord, { trial, thresholds, plan }: RecordOptions): string | undefined {
  const limit = generatorLimit(trial, thresholds);
  if (limit === undefined) return undefined;
  const lagMs = trial.measurement.lag.percentile(99);
  const missed = thresholds.flatMap((threshold, index) => {
    const { held = true, value = 0 } = record.thresholds[index] ?? {};
    return held ? [] : [isDoubtful(threshold, value, lagMs)];
  });
  const decides = missed.length > 0 ? missed.every(Boolean) : isShort(record, plan);
  return decides ? limit : undefined;
}

function withoutFindings({ acknowledged, present, missing, duplicated, examples }: AuditResult): LoadAudit {
  return { acknowledged, present, missing, duplicated, examples };
}

function auditNote({ acknowledged, present, missing, duplicated }: AuditResult): string {
  const wrong = missing + duplicated > 0 ? `: ${missing} missing, ${duplicated} more than once` : ', none missing';
  return `audit: ${acknowledged} acknowledged, ${present} present${wrong}`;
}

function unknownParts(thresholds: readonly Threshold[], measured: Measured): string[] {
  return thresholds.flatMap(({ part, expression }) =>
    part !== undefined && measured.part(part) === undefined
      ? [`${expression}: no requests were measured for the part or operation "${part}"`]
      : [],
  );
}

function flowNotes({ whole: { flow } }: Measurement, scenario: Scenario): string[] {
  if (!scenario.flow) return [];
  const { dropped, interrupted } = flow;
  return [
    ...flow.mistakes.slice(0, 5).map(([text, count]) => `error in the scenario, ${count} times: ${text}`),
    ...(dropped > 0 ? [`${dropped} iterations were dropped because too many were running`] : []),
    ...(interrupted > 0 ? [`${interrupted} iterations were still running at the end`] : []),
  ];
}

/** The record of a finished scenario. */
export function scenarioRecord(given: RecordOptions): ScenarioRecord {
  const { scenario, plan, trial, throughput, judging, thresholds, options, audited, stopped } = given;
  const { measurement } = trial;
  const model = plan.executor.users ? 'closed' : (options.model ?? 'open');
  const drift = plan.profile === 'soak' ? driftOf(measurement, plan.warmupMs, given.processSamples) : undefined;
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
    offeredRate: model === 'open' ? plan.rate : 0,
    judgedOn: options.whole ? 'whole' : 'steady',
    notes: [
      ...plan.notes,
      ...(stopped ? [STOPPED[stopped]] : []),
      ...flowNotes(measurement, scenario),
      ...unknownParts(thresholds, measuredOf(measurement, 'steady', 0)),
      ...notesOf(trial, thresholds, judging),
      ...(audited ? [auditNote(audited)] : []),
      ...(drift?.notes ?? []),
      ...(compared ? [compared.note] : []),
    ],
    detail: {
      ...(throughput && { throughput }),
      ...(scenario.flow && { flow: flowFigures(measurement, options.whole ? 'whole' : 'steady', plan) }),
      ...(compared && { partsCompared: compared }),
      ...(audited && { audit: withoutFindings(audited) }),
      ...(drift && { drift }),
      ...(stopped && { stopped }),
      ...(trial.fleet && { fleet: trial.fleet }),
    },
  });
  const limit = stopped ? undefined : decidingLimit(record, given);
  return {
    ...record,
    ...(limit !== undefined && record.detail && { detail: { ...record.detail, generatorLimit: limit } }),
    contractViolations: violations,
    findings: [...(record.findings ?? []), ...(audited?.findings ?? [])],
  };
}
