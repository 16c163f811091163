import type { TestRecord, TickRecord } from '../../spec/index.ts';
import { count, duration, latency, thousands } from '../text/numbers.ts';
import { visibleLine } from '../text/visible.ts';

/** What the runner tells beside the records: how much there is to do, or what a load engine sees right now. */
export interface LiveState {
  readonly done?: number;
  readonly total?: number;
  /** What runs now, for example `contract/paging`. */
  readonly doing?: string;
  /** Seconds left, where known. */
  readonly leftSeconds?: number;
  readonly load?: LiveLoad;
}

/** One moment of a load scenario. */
export interface LiveLoad {
  readonly scenario: string;
  readonly offeredRate: number;
  readonly rate: number;
  readonly errors: number;
  readonly inFlight: number;
  readonly p50: number;
  readonly p99: number;
}

/** Counts of the tests that have ended. */
export interface Progress {
  passed: number;
  failed: number;
  skipped: number;
  requests: number;
  suite: string;
}

export function newProgress(): Progress {
  return { passed: 0, failed: 0, skipped: 0, requests: 0, suite: '' };
}

export function countTest(progress: Progress, test: TestRecord): void {
  progress.suite = test.suite;
  if (test.verdict === 'passed') progress.passed += 1;
  else if (test.verdict === 'skipped') progress.skipped += 1;
  else progress.failed += 1;
  for (const { count: amount } of test.statuses) progress.requests += amount;
}

/** The line of a verify run; without colour. */
export function progressLine(progress: Progress, state: LiveState, elapsedMs: number): string {
  const share =
    state.total === undefined || state.done === undefined ? [] : [`${thousands(state.done)}/${thousands(state.total)}`];
  const left = state.leftSeconds === undefined ? [] : [`${duration(state.leftSeconds * 1000)} left`];
  return [
    duration(elapsedMs),
    ...share,
    `${thousands(progress.passed)} passed`,
    `${thousands(progress.failed)} failed`,
    ...(progress.skipped > 0 ? [`${thousands(progress.skipped)} skipped`] : []),
    count(progress.requests, 'request'),
    ...left,
    visibleLine(state.doing ?? progress.suite),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The line of a load run; without colour. */
export function loadLine(load: LiveLoad, state: LiveState, elapsedMs: number): string {
  const offered = load.offeredRate > 0 ? `${thousands(load.offeredRate)}/s offered` : 'closed model';
  const left = state.leftSeconds === undefined ? [] : [`${duration(state.leftSeconds * 1000)} left`];
  return [
    `${duration(elapsedMs)} ${visibleLine(load.scenario)}`,
    offered,
    `${thousands(load.rate)}/s`,
    `p50 ${latency(load.p50)}`,
    `p99 ${latency(load.p99)}`,
    count(load.errors, 'error'),
    `${thousands(load.inFlight)} in flight`,
    ...left,
  ].join(' · ');
}

/** What a tick of the log says of the moment. */
export function loadOfTick(tick: TickRecord): LiveLoad {
  const { scenario, offeredRate, rate, errors, inFlight, latencyMs } = tick;
  return { scenario, offeredRate, rate, errors, inFlight, p50: latencyMs.p50, p99: latencyMs.p99 };
}
