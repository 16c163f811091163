import type { LoadAudit, ScenarioDetail, ScenarioRecord, ThroughputPhase } from '../spec/index.ts';
import type { Judging } from './judging.ts';
import { meansOf } from './limits.ts';
import type { Plan } from './limits.ts';
import { figuresOf } from './measurement.ts';
import type { LoadOptions } from './options.ts';
import type { AuditResult, Scenario } from './scenarios/index.ts';
import { judgeThreshold } from './thresholds.ts';
import type { Threshold } from './thresholds.ts';
import type { Trial } from './trial.ts';
import { busyShare, measuredOf, notesOf } from './verdict.ts';
import { partsCompared } from './compare/parts.ts';
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
}

const STOPPED: Readonly<Record<StopReason, string>> = {
  'error-storm': 'stopped: most requests failed for three seconds',
  interrupted: 'interrupted',
  'time-limit': 'stopped at the time limit',
};

function parts({ trial }: RecordOptions): ScenarioDetail['parts'] {
  const { steady, parts } = trial.measurement;
  const seconds = steady.spanMs / 1000;
  return parts.map(({ label, answered, failed, latencies }) => ({
    label,
    requests: answered + failed,
    rate: seconds === 0 ? 0 : answered / seconds,
    errors: failed > 0 ? { failed } : {},
    latencyMs: latencies.latency(),
  }));
}

function withoutFindings({ acknowledged, present, missing, duplicated, examples }: AuditResult): LoadAudit {
  return { acknowledged, present, missing, duplicated, examples };
}

function detailOf(given: RecordOptions): ScenarioDetail {
  const { scenario, plan, trial, throughput, judging, options, audited, stopped } = given;
  const { measurement } = trial;
  const { connections, workers } = meansOf(options);
  const drift = plan.profile === 'soak' ? driftOf(measurement, plan.warmupMs) : undefined;
  const compared = scenario.compares ? partsCompared(measurement.parts) : undefined;
  return {
    title: scenario.title,
    model: options.model ?? 'open',
    profile: plan.profile,
    connections,
    workers,
    durationMs: plan.durationMs,
    warmupMs: plan.warmupMs,
    judgedOn: options.whole ? 'whole' : 'steady',
    whole: figuresOf(measurement.whole),
    lagMs: measurement.lag.latency(),
    busy: busyShare(measurement.busy),
    late: measurement.whole.late,
    unsent: measurement.whole.unsent,
    judged: judging?.judged ?? 0,
    violating: judging?.violating ?? 0,
    parts: parts(given),
    ...(throughput && { throughput }),
    ...(compared && { partsCompared: compared }),
    ...(audited && { audit: withoutFindings(audited) }),
    ...(drift && { drift }),
    ...(stopped && { stopped }),
  };
}

function auditNotes(audited: AuditResult | undefined): string[] {
  if (!audited) return [];
  const { acknowledged, present, missing, duplicated } = audited;
  const wrong = missing + duplicated > 0 ? `: ${missing} missing, ${duplicated} more than once` : ', none missing';
  return [`audit: ${acknowledged} acknowledged, ${present} present${wrong}`];
}

/** The record of a finished scenario. */
export function scenarioRecord(given: RecordOptions): ScenarioRecord {
  const { scenario, plan, trial, judging, thresholds, options, audited, stopped } = given;
  const totals = options.whole ? trial.measurement.whole : trial.measurement.steady;
  const open = options.model !== 'closed';
  const violations = (judging?.violating ?? 0) + (audited ? audited.missing + audited.duplicated : 0);
  const findings = [...(judging?.findings() ?? []), ...(audited?.findings ?? [])];
  const detail = detailOf(given);
  return {
    type: 'scenario',
    name: scenario.name,
    engine: open ? 'open' : 'closed (autocannon)',
    offeredRate: open ? plan.rate : 0,
    rate: totals.rate,
    requests: totals.requests,
    errors: totals.errors,
    latencyMs: totals.latencies.latency(),
    histogram: totals.latencies.base64(),
    thresholds: thresholds.map((threshold) => judgeThreshold(threshold, measuredOf(totals, violations))),
    contractViolations: violations,
    findings,
    notes: [
      ...plan.notes,
      ...(stopped ? [STOPPED[stopped]] : []),
      ...notesOf(trial, thresholds, judging),
      ...auditNotes(audited),
      ...(detail.drift?.notes ?? []),
      ...(detail.partsCompared ? [detail.partsCompared.note] : []),
    ],
    detail,
  };
}
