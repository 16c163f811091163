import { count, thousands } from '../spec/count.ts';
import type { FleetFigures, ScenarioDetail } from '../spec/index.ts';
import type { FlowTotals } from './flow/totals.ts';
import { generatorLimit, LEAST_LAG_MS } from './generator-limit.ts';
import type { Measurement } from './measurement.ts';
import { SLICE_MS } from './plan.ts';
import type { Judging } from './judging.ts';
import type { AuditResult } from './scenarios/index.ts';
import type { Measured, Threshold } from './thresholds.ts';
import type { Trial } from './trial.ts';

export type StopReason = NonNullable<ScenarioDetail['stopped']>;

/** Notes for runs that ended early. */
export const STOPPED: Readonly<Record<StopReason, string>> = {
  'error-storm': 'stopped: most requests failed for three seconds',
  'scenario-error': 'stopped: the scenario has an error',
  threshold: 'stopped: a threshold was missed for three seconds (--abort-on-fail)',
  interrupted: 'interrupted',
  'time-limit': 'stopped at the time limit',
  'agent-lost': 'stopped: an agent was lost (--on-loss stop)',
  'token-refused': 'stopped: the token was no longer accepted',
};

/** A generator that sends so late stood still: its other work seldom takes a tenth of that. */
const STILL_MS = 100;

/** Stalls of the generator that its p99 does not show. */
function stallNote({ lag, lags }: Measurement): string | false {
  const long = lags.filter((lagMs) => lagMs >= STILL_MS);
  if (long.length === 0 || lag.percentile(99) >= STILL_MS) return false;
  return `the load generator itself stalled ${count(long.length, 'time')}, for up to ${lag.percentile(100).toFixed(0)} ms, which the latency of the requests due at that time includes`;
}

/** More late requests than this share are reported. */
const LATE_SHARE = 0.01;

/** A busy machine makes many short gaps. */
const SHOWN_GAPS = 6;

/** The requests of a fleet by outcome, gaps and clocks. */
function fleetNotes({ requests, balanced, agents, lost, gaps, slowest, boundMs }: FleetFigures): string[] {
  const { planned, answered, failed, unsent, refused, withheld, unknown } = requests;
  const outcomes = [
    `${answered} answered`,
    `${failed} failed`,
    `${unsent} unsent`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    `${withheld} withheld`,
    `${unknown} unknown`,
  ];
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  return [
    `${count(agents, 'agent')}: ${planned} planned ${balanced ? '=' : 'but'} ${outcomes.join(' + ')}`,
    ...(balanced ? [] : ['the request counts of the fleet do not add up: this is a bug in Assay']),
    ...(lost.length > 0 ? [`agents lost: ${lost.join(', ')}`] : []),
    ...gaps
      .slice(0, SHOWN_GAPS)
      .map(
        (gap) =>
          `gap from ${seconds(gap.fromMs)} to ${seconds(gap.toMs)} s on ${count(gap.lanes, 'lane')} of ${gap.agent || 'an agent that reported nothing'}: ${gap.withheld} withheld, at most ${gap.unknownAtMost} unknown`,
      ),
    ...(gaps.length > SHOWN_GAPS ? [`${count(gaps.length - SHOWN_GAPS, 'more gap')}: see summary.json`] : []),
    `clocks of the agents: at most ${boundMs.toFixed(2)} ms from the broker's`,
    ...(slowest && slowest.lagMs > LEAST_LAG_MS
      ? [`agent ${slowest.agent} sends ${slowest.lagMs.toFixed(1)} ms late on average`]
      : []),
  ];
}

/** Notes on how reliable the figures of a trial are. */
export function trialNotes(trial: Trial, thresholds: readonly Threshold[], judging: Judging | undefined): string[] {
  const { requests, answered, late, unsent, refused, errors } = trial.measurement.whole;
  const waited = Math.min(unsent, errors['unsent'] ?? 0);
  const limit = generatorLimit(trial, thresholds);
  const most = Math.max(0, ...trial.measurement.views.map(({ connections }) => connections));
  const notes: (string | false)[] = [
    limit !== undefined && `the load generator affects these figures: ${limit}`,
    stallNote(trial.measurement),
    requests > 0 &&
      late / requests > LATE_SHARE &&
      `${thousands(late)} of ${thousands(requests)} requests waited for a free connection, with ${most} connections open (--connections sets the limit); their latency counts from the scheduled time`,
    requests > 0 && answered === 0 && 'no request received an accepted response',
    answered === 0 && tokenNote(errors),
    isRateLimited(errors) &&
      `the target, or a gateway before it, limits the rate: it refused ${count(errors['429'] ?? 0, 'request')} with 429 and accepted ${trial.measurement.steady.rate.toFixed(0)} per second (--rate sets what is offered)`,
    waited > 0 && `${count(waited, 'request')} not sent because no connection became free in time`,
    unsent > waited && `${count(unsent - waited, 'request')} not sent because no connection could be established`,
    silence(trial.measurement),
    refused > 0 && `${count(refused, 'request')} refused with 401 because the token had ended, and not counted`,
    trial.connected === 0 && !trial.stopped && 'no connection could be established at the start',
    ...(trial.fleet ? fleetNotes(trial.fleet) : []),
    judging?.judged === 0 && answered > 0 && 'no response was checked against the contract',
  ];
  return notes.filter((note) => note !== false);
}

/** The target failed for at least so long up to the end of the run. */
const SILENT_SLICES = 4;

/** From when on every request failed, up to the end. A target that answers with errors has not stopped. */
function silence({ views, whole: { errors } }: Measurement): string | false {
  const last = views.findLast(({ answered }) => answered > 0);
  const after = views.filter(
    ({ index, failed, draining }) => !draining && index > (last?.index ?? Infinity) && failed > 0,
  );
  if (last === undefined || after.length < SILENT_SLICES) return false;
  const names = Object.keys(errors);
  const why = names.every((name) => /^\d+$/.test(name))
    ? `the target answered with ${names.join(', ')}`
    : 'the target may have stopped';
  return `after ${(((last.index + 1) * SLICE_MS) / 1000).toFixed(1)} s no request succeeded: ${why}`;
}

/** True if most errors are 429 (too many requests). */
export function isRateLimited(errors: Readonly<Record<string, number>>): boolean {
  return (errors['429'] ?? 0) * 2 > Object.values(errors).reduce((sum, amount) => sum + amount, 0);
}

function tokenNote(errors: Readonly<Record<string, number>>): string | false {
  const [[status] = [''], ...others] = Object.entries(errors).filter(([, amount]) => amount > 0);
  if (others.length > 0 || (status !== '401' && status !== '403')) return false;
  return `every request was answered with ${status}: the token is not accepted for them, or lacks a permission`;
}

/** What an audit found missing or doubled. */
export function auditNotes({ acknowledged, present, missing, duplicated }: AuditResult): string[] {
  if (missing + duplicated === 0) return [];
  return [`audit: ${acknowledged} acknowledged, ${present} present: ${missing} missing, ${duplicated} more than once`];
}

/** The note of a run that measured nothing although it sent requests. */
export function warmUpNotes(measured: number, sent: number): string[] {
  if (measured > 0 || sent === 0) return [];
  return ['all requests were sent during the warm-up, which is not measured: run longer, or shorten it (--warmup)'];
}

/** Notes for thresholds of parts that sent no requests. */
export function unmeasuredNotes(thresholds: readonly Threshold[], measured: Measured): string[] {
  return thresholds.flatMap(({ part, expression }) =>
    part !== undefined && measured.part(part) === undefined
      ? [`${expression}: no requests were measured for the part or operation "${part}"`]
      : [],
  );
}

/** Notes on the iterations of a flow. The first error of the scenario is the error of the run. */
export function flowNotes({ dropped, interrupted, mistakes, paced }: FlowTotals, requests: number): string[] {
  return [
    ...mistakes.slice(1, 5).map(([text, times]) => `error in the scenario, ${count(times, 'time')}: ${text}`),
    ...(dropped > 0 ? [`${count(dropped, 'iteration')} dropped because too many were running`] : []),
    ...(paced > requests * LATE_SHARE
      ? [
          `--max-rate limits this flow: ${count(paced, 'request')} waited for it, and their latency counts from when it permitted them`,
        ]
      : []),
    ...(interrupted > 0 ? [`${count(interrupted, 'iteration')} still running at the end`] : []),
  ];
}
