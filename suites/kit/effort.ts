import { GROUP_SHARES, RERUN_SHARE } from './time-budget.ts';
import { GROUPS } from './groups.ts';
import type { Group } from './groups.ts';

/** What a group of suites costs, by the number of cases per property (`runs`). */
interface Effort {
  readonly tests: number;
  readonly requests: (runs: number) => number;
  /** Requests on the critical path: each waits for the response to the one before. */
  readonly turns: (runs: number) => number;
}

const fixed = (amount: number) => (): number => amount;
const withCases = (base: number, perRun: number) => (runs: number) => base + perRun * runs;

/** Rounds of each race, by the number of cases per property. */
export const raceRounds = (runs: number): number => Math.max(2, Math.ceil(runs / 25));

/**
 * Measured with the built-in description: requests on the embedded service, turns as the seconds that a group takes longer at
 * 120 ms per response. Those of `operations` are an estimate.
 */
const EFFORT: Readonly<Record<Group, Effort>> = {
  'failed-before': { tests: 0, requests: fixed(0), turns: fixed(0) },
  operations: { tests: 65, requests: fixed(170), turns: fixed(20) },
  lists: { tests: 15, requests: fixed(348), turns: fixed(39) },
  items: { tests: 266, requests: fixed(2530), turns: fixed(200) },
  races: { tests: 42, requests: (runs) => 300 + 445 * raceRounds(runs), turns: (runs) => 28 * raceRounds(runs) },
  'items-other-forms': { tests: 353, requests: fixed(3860), turns: fixed(170) },
  'lists-other-forms': { tests: 43, requests: fixed(520), turns: fixed(28) },
  unusual: { tests: 236, requests: fixed(2950), turns: fixed(49) },
  values: { tests: 231, requests: withCases(1600, 305), turns: fixed(230) },
  collections: { tests: 24, requests: withCases(1120, 42), turns: fixed(500) },
  rerun: { tests: 0, requests: fixed(0), turns: fixed(0) },
  snapshot: { tests: 0, requests: fixed(0), turns: fixed(0) },
};

/** Operations of the description that the efforts were measured with. */
const MEASURED_OPERATIONS = 43;

/** Milliseconds of processor time per request, for the run and the embedded service together. */
const OWN_MS = 1;

/** Milliseconds until the first test. */
const START_MS = 800;

/** What decides how long a run takes. */
export interface RunShape {
  /** Operations that it may call. */
  readonly operations: number;
  /** Cases per property. */
  readonly runs: number;
  readonly maxRate?: number | undefined;
  readonly maxRequests?: number | undefined;
  /** Groups with selected tests; default: all. */
  readonly groups?: readonly Group[];
}

/** How fast a target and this machine are. */
export interface Pace {
  readonly latencyMs: number;
  readonly ownMs: number;
}

/** The pace at a target with that response time. */
export function paceAt(latencyMs: number): Pace {
  return { latencyMs, ownMs: OWN_MS };
}

export function expectedRequests({ operations, runs, maxRequests = Number.POSITIVE_INFINITY }: RunShape): number {
  const measured = GROUPS.reduce((sum, group) => sum + EFFORT[group].requests(runs), 0);
  return Math.round(operations * Math.min(maxRequests, measured / MEASURED_OPERATIONS));
}

/** The effort of a run as a multiple of the measured one. */
function scaleOf(shape: RunShape): number {
  return expectedRequests(shape) / expectedRequests({ operations: MEASURED_OPERATIONS, runs: shape.runs });
}

function groupMs(
  group: Group,
  scale: number,
  { runs, maxRate = Number.POSITIVE_INFINITY }: RunShape,
  pace: Pace,
): number {
  const { requests, turns } = EFFORT[group];
  const ms = scale * (requests(runs) * pace.ownMs + turns(runs) * pace.latencyMs);
  return Math.max(ms, (1000 * scale * requests(runs)) / maxRate);
}

/** Milliseconds that the selected groups take, one after another; each may use its share of the time that is left. */
function groupsMs(groups: readonly Group[], shape: RunShape, pace: Pace, budgetMs: number, share = 1): number {
  const scale = scaleOf(shape) * share;
  const selected = groups.filter((group) => shape.groups?.includes(group) !== false);
  return selected.reduce(
    (sum, group) =>
      sum + Math.min(groupMs(group, scale, shape, pace), Math.max(0, budgetMs - sum) * (GROUP_SHARES[group] ?? 1)),
    0,
  );
}

/** Milliseconds that a run takes. */
export function runMs(shape: RunShape, pace: Pace, budgetMs = Number.POSITIVE_INFINITY): number {
  return START_MS + groupsMs(GROUPS, shape, pace, Math.max(0, budgetMs - START_MS));
}

/** Weight of the pace that was measured before the run, compared with that of the groups that have ended. */
const PRIOR = { ms: 3000, turns: 40 };

interface CurrentGroup {
  readonly group: Group;
  readonly tests: number;
  /** Its effort as a multiple of the measured one, if no test is skipped. */
  readonly scale: number;
  readonly began: number;
  /** Milliseconds that it is expected to take. */
  readonly ms: number;
  /** Milliseconds that it may take. */
  readonly mostMs: number;
}

/** A group that took this share of its time was cut short. */
const CUT_SHORT = 0.9;

/** What was sent in a period. */
interface Sample {
  readonly actualMs: number;
  readonly requests: number;
  readonly turns: number;
}

const sum = (a: Sample, b: Sample): Sample => ({
  actualMs: a.actualMs + b.actualMs,
  requests: a.requests + b.requests,
  turns: a.turns + b.turns,
});

/** Estimates how much of a run is left, from the pace of the groups that have ended, and of the current one where it is late. */
export class RemainingTime {
  readonly #shape: RunShape;
  readonly #first: Pace;
  #ended: Sample = { actualMs: 0, requests: 0, turns: 0 };
  /** Milliseconds that the groups took which have ended. */
  #endedMs = 0;
  #remaining: readonly Group[] = GROUPS;
  /** The share of its tests that the last group with tests ran: an estimate for the selection in later groups. */
  #share = 1;
  /** Tests of the groups that have ended, and how many of them were not skipped. */
  readonly #tests = { all: 0, ran: 0 };
  #current: CurrentGroup | undefined;

  constructor(shape: RunShape, pace: Pace) {
    this.#shape = shape;
    this.#first = pace;
  }

  /** The pace so far. Where responses take no time, the processor determines it, elsewhere the target. */
  #pace(now: number): Pace {
    const { latencyMs, ownMs } = this.#first;
    const isLate = this.#current !== undefined && now - this.#current.began > this.#current.ms;
    const late = isLate ? this.#sample(now, this.#ran) : undefined;
    const { actualMs, requests, turns } = late === undefined ? this.#ended : sum(this.#ended, late);
    const own = requests * ownMs;
    if (latencyMs === 0) return { latencyMs, ownMs: (ownMs * (PRIOR.ms + actualMs)) / (PRIOR.ms + own) };
    const waited = Math.max(0, actualMs - own);
    return { ownMs, latencyMs: (PRIOR.turns * latencyMs + waited) / (PRIOR.turns + turns) };
  }

  /**
   * What the current group tells about the pace if it ends now, having run that share of its tests; undefined if it was cut short, or if
   * the request rate limited it.
   */
  #sample(now: number, ran: number): Sample | undefined {
    if (this.#current === undefined || this.#current.scale === 0) return undefined;
    const { group, scale, began, mostMs } = this.#current;
    const { runs, maxRate = Number.POSITIVE_INFINITY } = this.#shape;
    const requests = ran * scale * EFFORT[group].requests(runs);
    const actualMs = now - began;
    if (actualMs > CUT_SHORT * mostMs || requests / maxRate > (0.8 * actualMs) / 1000) return undefined;
    return { actualMs, requests, turns: ran * scale * EFFORT[group].turns(runs) };
  }

  /** To be called when a group with that many tests begins. */
  begin(group: Group, tests: number, now: number, budgetMs: number): void {
    this.#remaining = GROUPS.slice(GROUPS.indexOf(group) + 1);
    const expected = EFFORT[group].tests * (this.#shape.operations / MEASURED_OPERATIONS);
    if (expected > 0 && tests > 0) this.#share = tests / expected;
    const scale = expected === 0 || tests === 0 ? 0 : scaleOf(this.#shape) * this.#share;
    const rerunMs = group === 'rerun' && tests > 0 ? RERUN_SHARE * this.#ended.actualMs : 0;
    const mostMs = budgetMs * (GROUP_SHARES[group] ?? 1);
    const ms = rerunMs + Math.min(groupMs(group, scale * this.#ran, this.#shape, this.#pace(now)), mostMs);
    this.#current = { group, tests, scale, began: now, ms, mostMs };
  }

  /** To be called when the group has ended; `skipped`: how many of its tests were skipped. */
  end(now: number, skipped: number): void {
    if (this.#current === undefined) return;
    const { tests, began } = this.#current;
    const sample = this.#sample(now, tests === 0 ? 0 : 1 - skipped / tests);
    this.#current = undefined;
    this.#endedMs += now - began;
    if (sample === undefined) return;
    this.#tests.all += tests;
    this.#tests.ran += tests - skipped;
    this.#ended = sum(this.#ended, sample);
  }

  /** The share of the tests so far that were not skipped: the estimate for those to come. */
  get #ran(): number {
    return this.#tests.all === 0 ? 1 : this.#tests.ran / this.#tests.all;
  }

  /** Milliseconds that are left; `ended`: the share of the tests of the current group that have ended. */
  leftMs(ended: number, now: number, budgetMs: number): number {
    const { ms = 0, began = now } = this.#current ?? {};
    const elapsed = now - began;
    const byTests = (1 - ended) * Math.max(ms, elapsed);
    // The mean of two estimates: by tests (wrong where a few take long) and by time (wrong where the pace has changed).
    const current = Math.min(budgetMs, elapsed > ms ? byTests : (byTests + ms - elapsed) / 2);
    const share = this.#shape.groups === undefined ? 1 : this.#share;
    return current + groupsMs(this.#remaining, this.#shape, this.#pace(now), budgetMs - current, share * this.#ran);
  }

  /** Milliseconds of what has ended so far, which the estimate is based on. */
  measuredMs(ended: number, now: number): number {
    return this.#endedMs + ended * (now - (this.#current?.began ?? now));
  }
}
