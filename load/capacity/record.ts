import { count } from '../../spec/count.ts';
import type { CapacityRecord, RunRecord, ScenarioRecord, ThroughputPhase } from '../../spec/index.ts';
import type { Judging } from '../judging.ts';
import { Measurement, Totals } from '../measurement.ts';
import { isRateLimited } from '../notes.ts';
import { baseRecord } from '../scenario-record.ts';
import type { Scenario } from '../scenarios/index.ts';
import type { Threshold } from '../thresholds.ts';
import type { sentBy } from '../throughput.ts';
import type { KneeSearch, NextStep } from './knee-search.ts';
import { isFragile, isStuck } from './recovery.ts';
import { regardlessText } from './regardless.ts';
import type { Recovery } from './recovery.ts';
import { periodOf, stallText } from './stalls.ts';
import type { Stall } from './stalls.ts';
import type { CapacityOptions } from './search.ts';
import type { CapacityStep } from './step.ts';

export interface TakenStep extends NextStep {
  readonly step: CapacityStep;
}

export interface SearchResult {
  readonly knee: KneeSearch;
  readonly taken: readonly TakenStep[];
  /** The rate that the generator reaches against a stub server, and the upper limit of the search. */
  readonly generatorRate: number;
  readonly ceiling: number;
  readonly throughput: ThroughputPhase | undefined;
  readonly sent: ReturnType<typeof sentBy>;
  /** Times in which the target answered nothing although requests were waiting. */
  readonly stalls: readonly Stall[];
  /** How the target recovered from the steps that overloaded it. */
  readonly recoveries: readonly Recovery[];
  readonly timeUp: boolean;
  /** Why the search ended early: the target stopped, or does not accept the token. */
  readonly error: unknown;
  /** Time spent on removing what the steps created. */
  readonly removingMs: number;
  readonly judging: Judging | undefined;
}

const round = (rate: number): number => Math.round(rate * 10) / 10;

/** The reported rate: the highest rate that met the thresholds; if it failed later, the latest success. */
function answerOf({ knee, taken }: SearchResult): number {
  return knee.low > 0 ? knee.low : (taken.findLast(({ step }) => step.held)?.rate ?? 0);
}

/** True if the target stalls regularly, and the step above the reported rate failed by latency or throughput. */
function stallsLimit({ stalls, taken, knee }: SearchResult): boolean {
  const last =
    taken.findLast(({ rate, step }) => !step.held && rate === knee.high) ?? taken.findLast(({ step }) => !step.held);
  const isLatency = last?.step.limit === 'latency' || last?.step.limit === 'throughput';
  return isLatency && periodOf(stalls) !== undefined;
}

/** The code of what limited the rate. */
function limitOf(found: SearchResult, options: CapacityOptions): string {
  const { knee, taken, ceiling, timeUp } = found;
  if (knee.low >= ceiling && ceiling > 0)
    return options.maxRate !== undefined && ceiling === options.maxRate ? 'max-rate' : 'generator';
  if (options.signal?.aborted) return 'interrupted';
  if (found.error !== undefined) return 'error';
  if (stallsLimit(found)) return 'stalls';
  const failed = taken.filter(({ step }) => !step.held).toSorted((a, b) => a.rate - b.rate);
  if (failed.length === 0) return 'time';
  // Where lower rates were not tried, nothing is known about the target, unless it accepts no request at all.
  const accepts = failed.some(({ step }) => step.trial.measurement.steady.answered > 0);
  if (timeUp && accepts && answerOf(found) === 0) return 'time';
  return failed.findLast(({ rate }) => rate === knee.high)?.step.limit ?? failed[0]?.step.limit ?? 'latency';
}

function errorsOfFailed({ taken }: SearchResult): Totals['errors'] {
  const all = new Totals();
  for (const { step } of taken) if (!step.held) all.merge(step.trial.measurement.steady);
  return all.errors;
}

/** An interval is wide if its ends are this many times apart. */
const WIDE = 1.1;

/** With so much lag, the bursts of the generator matter to a rate limit. */
const BURST_LAG_MS = 20;

/** Highest lag (p99) of the steps in which a part of the requests was refused. */
function lagOfRefused({ taken }: SearchResult): number {
  const lags = taken.flatMap(({ step }) => (step.refuses === true ? [step.trial.measurement.lag.percentile(99)] : []));
  return Math.max(0, ...lags);
}

function generatorReason({ knee, taken, ceiling, generatorRate }: SearchResult): string {
  const blamed = taken.findLast(({ step }) => step.limit === 'generator');
  if (knee.low < ceiling && blamed) return blamed.step.reason;
  return `it reaches ${round(generatorRate)}/s against a stub server, and results are reliable up to half of that`;
}

/** What a search did not get to. */
function missingOf({ knee, taken }: SearchResult, limitedBy: string): string {
  if (limitedBy === 'time') return 'the limit was found';
  const isConfirmedOnce = taken.some(({ rate, kind, step }) => kind === 'confirm' && step.held && rate === knee.low);
  return `the result was confirmed${isConfirmedOnce ? ' a second time' : ''}`;
}

/** An overloaded target that answers less than this share of what it handled collapses. */
const COLLAPSED_SHARE = 0.7;
const LEAST_COLLAPSE_MS = 1000;

/** What an overload did to the target, if it did more than make it slow for as long as it lasted. */
export function collapseText({ taken, recoveries, throughput }: SearchResult): string | undefined {
  const best = Math.max(0, ...taken.filter(({ step }) => step.held).map(({ rate }) => rate));
  const busy =
    throughput !== undefined && isFragile(taken, [], throughput)
      ? [{ text: `with ${count(throughput.connections, 'busy connection')}`, answered: throughput.rate }]
      : [];
  const over = taken.flatMap(({ rate, step: { saturated, trial } }) => {
    const { spanMs, rate: answered } = trial.measurement.whole;
    const isOver = rate > best && saturated && spanMs >= LEAST_COLLAPSE_MS && answered < best * COLLAPSED_SHARE;
    return isOver ? [{ text: `of ${round(rate)}/s`, answered }] : [];
  });
  const [worst] = [...busy, ...over].toSorted((a, b) => a.answered - b.answered);
  if (worst === undefined) return undefined;
  const text = `the target answers less when it is overloaded: it handled ${round(best)}/s, but ${worst.text} it answered only ${round(worst.answered)}/s`;
  const slowest = recoveries.toSorted((a, b) => b.tookMs - a.tookMs)[0];
  if (slowest === undefined || slowest.tookMs < LEAST_COLLAPSE_MS) return text;
  const seconds = Math.round(slowest.tookMs / 1000);
  return isStuck(recoveries)
    ? `${text}, and had not recovered ${seconds} s later, which ended the search: a longer --budget gives it more time`
    : `${text}, and took ${seconds} s to recover`;
}

/** How a target that met the thresholds at no rate slowed down; undefined if it answered as much at the end as at first. */
export function slowingText({ taken, throughput }: SearchResult): string | undefined {
  const answered = taken.flatMap(({ step: { saturated, trial } }) => (saturated ? [trial.measurement.whole.rate] : []));
  const [first, last] = [throughput?.rate || answered[0], answered.at(-1)];
  if (first === undefined || last === undefined || last > first * COLLAPSED_SHARE) return undefined;
  return `the target became slower during the search: it answered ${round(first)}/s at first, ${round(last)}/s at the end`;
}

function notesOf(found: SearchResult, limitedBy: string, options: CapacityOptions): string[] {
  const { knee, taken, timeUp, ceiling } = found;
  if (found.error !== undefined) return [];
  const notes: string[] = found.stalls.length > 1 ? [stallText(found.stalls)] : [];
  const collapse = collapseText(found);
  if (collapse !== undefined) notes.push(collapse);
  if (options.signal?.aborted) notes.push('interrupted');
  else if (timeUp && !isStuck(found.recoveries))
    notes.push(`the time budget ended before ${missingOf(found, limitedBy)}; increase --budget`);
  if (timeUp && !options.signal?.aborted && found.removingMs >= 1000)
    notes.push(`removing what the requests created took ${Math.round(found.removingMs / 1000)} s of the time budget`);
  if (limitedBy === 'generator')
    notes.push(
      `the load generator, not the target, is the limit: ${generatorReason(found)}; use more --workers, or a dedicated machine`,
    );
  if (knee.low === 0 && taken.length > 0)
    notes.push(
      answerOf(found) > 0
        ? 'no rate met the thresholds twice: the performance of the target, or of the generator, varies'
        : 'no rate met the thresholds, down to the lowest one tried',
    );
  const regardless = regardlessText(taken);
  if (regardless !== undefined) return [...notes, regardless];
  const best = Math.max(0, ...taken.filter(({ step }) => step.held).map(({ rate }) => rate));
  const slowing = best === 0 ? slowingText(found) : undefined;
  if (slowing !== undefined) notes.push(slowing);
  if (knee.low > 0 && best > knee.low * 1.1)
    notes.push(
      `${round(best)}/s met the thresholds at first, but only ${round(knee.low)}/s at the end: the target became slower, or its performance varies`,
    );
  if (limitedBy === 'errors' && isRateLimited(errorsOfFailed(found)))
    notes.push(
      'the target, or a gateway before it, limits the rate: above the result, requests were answered with 429',
    );
  const lagMs = lagOfRefused(found);
  if (limitedBy === 'errors' && lagMs >= BURST_LAG_MS)
    notes.push(
      `the generator sent up to ${Math.round(lagMs)} ms late, so that requests came in bursts, which a rate limit refuses below its rate; use a dedicated machine`,
    );
  if (knee.confirmed && !timeUp && knee.high < Infinity && knee.high > knee.low * WIDE)
    notes.push('the interval is wide: a longer --budget makes it narrower');
  if (limitedBy === 'max-rate') notes.push(`the limit was --max-rate: ${round(ceiling)}/s`);
  return notes;
}

function scenarioAt(
  scenario: Scenario,
  found: SearchResult,
  thresholds: readonly Threshold[],
  options: CapacityOptions,
  notes: readonly string[],
): ScenarioRecord {
  const { taken, judging } = found;
  const answer = answerOf(found);
  const measurement = new Measurement({ warmupMs: 0, durationMs: 0 });
  for (const { rate, step } of taken) if (rate === answer && step.held) measurement.merge(step.trial.measurement);
  const { whole, steady } = measurement;
  return baseRecord({
    scenario,
    model: 'open',
    measurement,
    judging,
    thresholds,
    violations: 0,
    options,
    offeredRate: round(answer),
    notes,
    profile: 'capacity',
    durationMs: whole.spanMs,
    warmupMs: whole.spanMs - steady.spanMs,
    detail: { ...found.sent, ...(found.throughput && { throughput: found.throughput }) },
  });
}

export function stepRecord({ rate, kind, step }: TakenStep): CapacityRecord['steps'][number] {
  const { steady } = step.trial.measurement;
  return {
    kind,
    offeredRate: round(rate),
    rate: round(steady.rate),
    held: step.held,
    errorShare: steady.errorShare,
    latencyMs: steady.latencies.latency(),
    reason: `${kind}: ${step.reason}`,
  };
}

/** The scenario record at the found rate, and the capacity record with all steps. */
export function capacityRecords(
  scenario: Scenario,
  found: SearchResult,
  thresholds: readonly Threshold[],
  options: CapacityOptions,
): RunRecord[] {
  const { knee, taken } = found;
  const limitedBy = limitOf(found, options);
  const notes = notesOf(found, limitedBy, options);
  const rate = answerOf(found);
  const high = Number.isFinite(knee.high) ? Math.max(knee.high, rate) : rate;
  const capacity: CapacityRecord = {
    type: 'capacity',
    scenario: scenario.name,
    rate: round(rate),
    low: round(knee.low),
    high: round(high),
    limitedBy,
    confirmed: knee.confirmed,
    generatorRate: round(found.generatorRate),
    notes,
    steps: taken.map(stepRecord),
  };
  return [scenarioAt(scenario, found, thresholds, options, notes), capacity];
}
