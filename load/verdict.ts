import { SLICE_MS } from './limits.ts';
import type { FleetFigures } from '../spec/index.ts';
import type { Judging } from './judging.ts';
import type { FlowTotals } from './flow/totals.ts';
import type { Measurement, SliceView } from './measurement.ts';
import { Tally } from './tally.ts';
import type { Measured, PartMeasured, Threshold } from './thresholds.ts';
import type { Trial } from './trial.ts';

const LEAST_LAG_MS = 2;
/** An event loop that is busy for more than this share of the time is saturated. */
export const BUSY = 0.95;
const LATE_SHARE = 0.01;

function partMeasured(tally: Tally, spanMs: number): PartMeasured {
  const { latencies, answered, errorShare } = tally;
  return {
    percentile: (percent) => latencies.percentile(percent),
    mean: latencies.meanMs,
    answered,
    errorShare,
    rate: tally.figures(spanMs).rate,
  };
}

/** The iterations of a flow, as thresholds name them. */
export const ITERATIONS = 'iterations';

function iterationsMeasured({ latencies, completed, failed, iterations }: FlowTotals, spanMs: number): PartMeasured {
  return {
    percentile: (percent) => latencies.percentile(percent),
    mean: latencies.meanMs,
    answered: completed,
    errorShare: iterations === 0 ? 0 : failed / iterations,
    rate: spanMs === 0 ? 0 : (completed * 1000) / spanMs,
  };
}

/** The figures for thresholds; those of parts are without the warm-up. */
export function measuredOf(measurement: Measurement, period: 'steady' | 'whole', violations: number): Measured {
  const totals = measurement[period];
  const { parts, steady } = measurement;
  return {
    ...partMeasured(totals, totals.spanMs),
    violations,
    unsent: totals.unsent,
    checkShare: totals.flow.checkShare,
    part(name) {
      if (name === ITERATIONS && totals.flow.iterations > 0) return iterationsMeasured(totals.flow, totals.spanMs);
      const part = parts.find(({ label }) => label === name);
      if (part) return partMeasured(part, steady.spanMs);
      const own = parts.flatMap(({ operations }) => operations.get(name) ?? []);
      if (own.length === 0) return undefined;
      const all = new Tally();
      for (const tally of own) all.merge(tally);
      return partMeasured(all, steady.spanMs);
    },
  };
}

/** The strictest latency threshold, in milliseconds. */
export function latencyObjective(thresholds: readonly Threshold[]): number | undefined {
  const limits = thresholds
    .filter(({ metric, comparison }) => /^(p\d|mean|max)/.test(metric) && comparison.startsWith('<'))
    .map(({ limit }) => limit);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** Share of the time in which the busiest worker's event loop was busy: the median over the slices. */
export function busyShare(busy: readonly number[]): number {
  const sorted = [...busy].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Why the generator, not the target, limited a measurement; undefined if it did not. */
export function generatorLimit(trial: Trial, thresholds: readonly Threshold[]): string | undefined {
  const { lag, busy } = trial.measurement;
  const allowed = Math.max(LEAST_LAG_MS, (latencyObjective(thresholds) ?? 0) / 10);
  const lagP99 = lag.percentile(99);
  const slowest = trial.fleet?.slowest;
  const worst = slowest === undefined ? '' : `, most on agent ${slowest.agent}`;
  if (lagP99 > allowed) return `generator lag p99 ${lagP99.toFixed(1)} ms, allowed ${allowed.toFixed(1)} ms${worst}`;
  const share = busyShare(busy);
  if (share > BUSY)
    return `the generator's event loop was busy ${(share * 100).toFixed(0)}% of the time: use more --workers`;
  return undefined;
}

/** What became of the requests of a fleet. */
function fleetNotes({ requests, balanced, agents, lost, gaps, slowest, boundMs }: FleetFigures): string[] {
  const { planned, answered, failed, unsent, refused, withheld, unknown } = requests;
  const parts = [
    `${answered} answered`,
    `${failed} failed`,
    `${unsent} unsent`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    `${withheld} withheld`,
    `${unknown} unknown`,
  ];
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  return [
    `${agents} agents: ${planned} planned ${balanced ? '=' : 'but'} ${parts.join(' + ')}`,
    ...(balanced ? [] : ['the request counts of the fleet do not add up: this is a bug in Assay']),
    ...(lost.length > 0 ? [`agents lost: ${lost.join(', ')}`] : []),
    ...gaps.map(
      (gap) =>
        `gap from ${seconds(gap.fromMs)} to ${seconds(gap.toMs)} s on ${gap.lanes} lanes of ${gap.agent}: ${gap.withheld} withheld, at most ${gap.unknownAtMost} unknown`,
    ),
    `clocks of the agents: at most ${boundMs.toFixed(2)} ms from the broker's`,
    ...(slowest && slowest.lagMs > LEAST_LAG_MS
      ? [`agent ${slowest.agent} sends ${slowest.lagMs.toFixed(1)} ms late on average`]
      : []),
  ];
}

/** Notes on how reliable the figures are. */
export function notesOf(trial: Trial, thresholds: readonly Threshold[], judging: Judging | undefined): string[] {
  const { whole } = trial.measurement;
  const notes: string[] = [];
  const limit = generatorLimit(trial, thresholds);
  if (limit !== undefined) notes.push(`generator-limited: ${limit}`);
  if (whole.requests > 0 && whole.late / whole.requests > LATE_SHARE) {
    notes.push(
      `${whole.late} of ${whole.requests} requests waited for a free connection; their latency counts from the scheduled time`,
    );
  }
  if (whole.answered === 0) notes.push('no request received an accepted response, so there is no latency');
  if (whole.unsent > 0) notes.push(`${whole.unsent} requests were not sent because no connection became free in time`);
  if (whole.refused > 0)
    notes.push(`${whole.refused} requests were refused with 401 before the token was renewed; they are not counted`);
  if (trial.connected === 0) notes.push('no connection could be established at the start');
  if (trial.fleet) notes.push(...fleetNotes(trial.fleet));
  if (judging && judging.judged === 0 && whole.answered > 0) notes.push('no response was checked against the contract');
  return notes;
}

const STORM_SECONDS = 3;
const LEAST_FAILURES = 20;

/** Detects that most requests fail for three seconds, so that the run can stop. */
export class ErrorStorm {
  readonly #share: number;
  #lasted = 0;
  #failed = 0;

  constructor(share: number) {
    this.#share = share;
  }

  /** True when the run should stop. A slice without outcomes changes nothing. */
  add(view: SliceView): boolean {
    const outcomes = view.answered + view.failed;
    if (outcomes === 0) return false;
    const mostFail = view.failed / outcomes > this.#share;
    this.#lasted = mostFail ? this.#lasted + 1 : 0;
    this.#failed = mostFail ? this.#failed + view.failed : 0;
    return this.#lasted * SLICE_MS >= STORM_SECONDS * 1000 && this.#failed >= LEAST_FAILURES;
  }
}
