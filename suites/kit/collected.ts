import { ResponseLog } from './response-log.ts';
import type { OwnItem } from './finished-items.ts';
import type { Exchange, Finding, LateChange, ObservationRecord, Violation } from '../../spec/index.ts';

/** What a test collects while it runs. */
export interface Collected {
  readonly findings: Map<string, Finding>;
  readonly responses: ResponseLog;
  /** What the checks of single exchanges found, by the id of the exchange. */
  readonly judged: Map<string, readonly CollectedViolation[]>;
  readonly labels: Map<string, string>;
  readonly observations: ObservationRecord[];
  /** Checks and requirements that the test does not verify. */
  readonly open: Set<string>;
  readonly late: LateChange[];
  /** What it created, except what other tests will use as well. */
  readonly created: OwnItem[];
  /** Number of values for all tests that are being made. What is created meanwhile may belong to them. */
  sharing: number;
  /** Operation of the last exchange. */
  last: string;
  cases: number;
  cutShort?: string;
  /** True where a finding may have ended it early. */
  stopped: boolean;
  slowestMs: number;
  readonly startedAt: Date;
  /** The same moment on the clock that only goes forward. */
  readonly started: number;
}

export interface CollectedViolation {
  readonly violation: Violation;
  readonly fingerprint: string;
}

/** Nothing yet, at the start of a test. */
export function nothingCollected(): Collected {
  return {
    findings: new Map(),
    responses: new ResponseLog(),
    judged: new Map(),
    labels: new Map(),
    observations: [],
    open: new Set(),
    late: [],
    created: [],
    sharing: 0,
    last: '',
    cases: 0,
    stopped: false,
    slowestMs: 0,
    startedAt: new Date(),
    started: performance.now(),
  };
}

/** What the checks of single exchanges found in an exchange. */
export function judgedIn({ judged }: Collected, { id }: Exchange): readonly CollectedViolation[] {
  return judged.get(id) ?? [];
}
