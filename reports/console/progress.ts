import type { Finding, LiveFigures, TestRecord, TickRecord } from '../../spec/index.ts';
import { count, duration, responseLatency, thousands, wholeSeconds } from '../text/numbers.ts';
import { visibleLine } from '../text/visible.ts';

/** The current state of a run, which the log does not contain. */
export interface LiveState {
  /** For example `contract/paging`. */
  readonly doing?: string;
  readonly leftSeconds?: number | undefined;
  /** True where more time may be left: failing tests are repeated and shrunk, which takes long. */
  readonly isLeast?: boolean;
  /** Share of the run that is done, from 0 to 1. */
  readonly share?: number;
  readonly load?: LiveLoad | undefined;
  readonly fleet?: LiveFleet;
}

export interface LiveLoad extends LiveFigures {
  readonly fleet?: LiveFleet;
}

/** Agents that have joined, of those required, and the rates of each zone. */
export interface LiveFleet {
  readonly agents: number;
  readonly of: number;
  readonly zones: readonly LiveZone[];
}

export interface LiveZone {
  readonly zone: string;
  readonly agents: number;
  readonly offeredRate: number;
  readonly rate: number;
}

export interface Progress {
  passed: number;
  failed: number;
  /** Failed with known findings only. */
  known: number;
  skipped: number;
  requests: number;
  suite: string;
}

export function newProgress(): Progress {
  return { passed: 0, failed: 0, known: 0, skipped: 0, requests: 0, suite: '' };
}

export function countTest(progress: Progress, test: TestRecord, isKnown: (finding: Finding) => boolean): void {
  progress.suite = test.suite;
  progress[shownVerdict(test, isKnown)] += 1;
  for (const { count: amount } of test.statuses) progress.requests += amount;
}

/** How a test is counted while the run goes on. */
export function shownVerdict(
  { verdict, findings }: Pick<TestRecord, 'verdict' | 'findings'>,
  isKnown: (finding: Finding) => boolean,
): 'passed' | 'failed' | 'known' | 'skipped' {
  if (verdict !== 'failed') return verdict === 'error' ? 'failed' : verdict;
  return findings.length > 0 && findings.every(isKnown) ? 'known' : 'failed';
}

export function progressLine(progress: Progress, state: LiveState, elapsedMs: number): string {
  const { passed, failed, known, skipped, requests, suite } = progress;
  const { doing, leftSeconds, isLeast, share, fleet } = state;
  return joined(
    duration(elapsedMs),
    agentsText(fleet),
    share === undefined ? '' : `${Math.floor(share * 100)}%`,
    timeLeft(leftSeconds, isLeast),
    `${thousands(passed)} passed`,
    `${thousands(failed)} failed`,
    known > 0 ? `${thousands(known)} known` : '',
    skipped > 0 ? `${thousands(skipped)} skipped` : '',
    count(requests, 'request'),
    visibleLine(doing ?? suite),
  );
}

/** Tasks of about the same length that run side by side. */
export interface TaskProgress {
  readonly tasks: number;
  readonly done: number;
  /** Elapsed time when the last one ended. */
  readonly lastMs: number;
}

/** The time left is an estimate from this share of the tasks. */
const EARLY = 0.15;

export function taskLine({ tasks, done, lastMs }: TaskProgress, elapsedMs: number): string {
  const share = done / tasks;
  const leftMs = lastMs / share - elapsedMs;
  return joined(
    duration(elapsedMs),
    `${thousands(done)} of ${thousands(tasks)}`,
    `${Math.floor(share * 100)}%`,
    share < EARLY ? '' : timeLeft(leftMs / 1000),
  );
}

export function loadLine(load: LiveLoad, { leftSeconds }: LiveState, elapsedMs: number): string {
  return joined(
    `${duration(elapsedMs)} ${visibleLine(load.scenario)}`,
    agentsText(load.fleet),
    offeredText(load),
    `${thousands(load.rate)}${load.offers === undefined ? '' : ' requests'}/s succeeded`,
    `p50 ${responseLatency(load.p50)}`,
    `p99 ${responseLatency(load.p99)}`,
    count(load.errors, 'error'),
    `${thousands(load.inFlight)} in flight`,
    timeLeft(leftSeconds),
    ...(load.fleet?.zones ?? []).map(zoneText),
  );
}

function offeredText({ offeredRate: rate, offers }: LiveLoad): string {
  if (rate === undefined) return '';
  return rate > 0 ? `${thousands(rate)}${offers === undefined ? '' : ` ${offers}`}/s offered` : 'closed model';
}

const agentsText = (fleet: LiveFleet | undefined): string =>
  fleet === undefined ? '' : `${fleet.agents} of ${count(fleet.of, 'agent')}`;

const zoneText = ({ zone, rate, offeredRate }: LiveZone): string =>
  `${visibleLine(zone)} ${thousands(rate)} of ${thousands(offeredRate)}/s`;

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

function timeLeft(seconds: number | undefined, isLeast = false): string {
  return seconds === undefined || seconds <= 0 ? '' : `${isLeast ? 'at least ' : ''}${wholeSeconds(seconds)} left`;
}

/** The moment that a tick of the log describes. A tick without an offered rate may be one after the end of the schedule. */
export function loadOfTick({ scenario, offeredRate, offers, rate, errors, inFlight, latencyMs }: TickRecord): LiveLoad {
  const { p50, p99 } = latencyMs;
  const offered = { offeredRate: offeredRate === 0 ? undefined : offeredRate, ...(offers && { offers }) };
  return { scenario, ...offered, rate, errors, inFlight, p50, p99 };
}
