import type { Effect } from './contract.ts';
import type { Finding } from './finding.ts';
import type { CapacityRecord, ScenarioRecord, TickRecord } from './load-records.ts';
import type { Requirement } from './requirements.ts';

export interface RunEnvironment {
  /** Version of Node.js. */
  readonly node: string;
  readonly platform: string;
  /** Commit of the working directory. */
  readonly commit?: string;
  readonly branch?: string;
  readonly ci?: { readonly name: string; readonly job?: string; readonly url?: string };
}

/** First record of every log. */
export interface RunStart {
  readonly type: 'run-start';
  readonly version: string;
  readonly command: 'verify' | 'load' | 'capacity';
  readonly target: { readonly baseUrl: string; readonly embedded: boolean };
  readonly spec: {
    readonly title: string;
    readonly source: string;
    readonly operations: number;
    /** The file or URL that the user gave; absent for the built-in description. */
    readonly file?: string;
    /** Places that cannot be read, where any value is allowed; absent if there are none. */
    readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
  };
  readonly seed: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Absent in older logs. */
  readonly environment?: RunEnvironment;
}

export interface OperationRecord {
  readonly type: 'operation';
  readonly id: string;
  readonly forms: readonly string[];
  readonly section: string;
  readonly effect: string;
}

export interface RequirementRecord extends Requirement {
  readonly type: 'requirement';
}

export type TestVerdict = 'passed' | 'failed' | 'skipped' | 'error';

export interface TestRecord {
  readonly type: 'test';
  /** Unique within the run: suite, then the names of its groups and its own, joined by ` > `. */
  readonly name: string;
  /** For example `contract/paging`. */
  readonly suite: string;
  readonly operation?: string;
  readonly form?: string;
  /** Checks and requirements that this test verified or violated. */
  readonly checks: readonly string[];
  readonly requirements: readonly string[];
  readonly verdict: TestVerdict;
  /** Why the test was skipped, or the error. */
  readonly reason?: string;
  /** Set if it was skipped because this effect is not allowed. */
  readonly lacks?: Effect;
  /** Set if it was skipped because the time of the run, or of tests of its kind, was used up. */
  readonly outOfTime?: true;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Requests by operation, form and status; `"000"` without a response. */
  readonly statuses: readonly {
    readonly operation: string;
    readonly form: string;
    readonly status: string;
    readonly count: number;
    /** Only of valid requests; of requests that may be invalid only successes count. Absent in older logs. */
    readonly valid?: number;
    /** Set for a redirect with which the operation is described to succeed. */
    readonly redirects?: true;
  }[];
  /** Generated cases. */
  readonly cases: number;
  /** Why fewer cases were tested than configured. */
  readonly cutShort?: string;
  readonly findings: readonly Finding[];
  /** Set if it failed but was completed: its findings did not stop it. */
  readonly completed?: true;
  /** Slowest request of this test, in milliseconds. */
  readonly slowestMs?: number;
  /** Changes that became visible only after waiting, within the settle time. */
  readonly late?: readonly LateChange[];
}

/** A change that was not visible at once. */
export interface LateChange {
  /** The operation that showed it. */
  readonly operation: string;
  /** When the last read that returned an older state began, in milliseconds after the first one began. */
  readonly ms: number;
  /** Number of reads that returned an older state. */
  readonly looks: number;
}

/** Undocumented behavior of the deployment. */
export interface ObservationRecord {
  readonly type: 'observation';
  readonly what: string;
  readonly value: string;
  readonly operation?: string;
}

/** Resources that the run created and removed. */
export interface EffectsRecord {
  readonly type: 'effects';
  readonly created: number;
  readonly removed: number;
  readonly left: readonly {
    readonly kind: string;
    readonly id: string;
    readonly reason: string;
    /** Status of the response that refused its removal. */
    readonly status?: number;
    /** Several that were not found, and whose ids are not known. */
    readonly count?: number;
  }[];
  /** Served requests of a load run with an effect that stays, by operation; `verify` counts them by test. */
  readonly lasting?: readonly { readonly id: string; readonly count: number }[];
}

/** Requests of a run, repeats and waiting times by reason. */
export interface StatisticsRecord {
  readonly type: 'statistics';
  readonly exchanges: number;
  /** Requests on the wire, repeats included. */
  readonly attempts: number;
  /** Exchanges without a response. */
  readonly failures: number;
  readonly responseBytes: number;
  /** `status-401` (the token had expired), `status-429`, `status-502`, `status-503`, `status-504`, `not-connected`, `reset`. */
  readonly repeats: Readonly<Record<string, number>>;
  /** Milliseconds by the same reasons and `rate-limit`, summed over requests that may wait at the same time. */
  readonly waitedMs: Readonly<Record<string, number>>;
  /** The last share of the time in which every response was 429, from 0 to 1; absent where the last response was another one. */
  readonly refusedShare?: number;
  /** Requests that had had no response for 5 s or more when the time of the run was used up, the longest first; absent if there were none. */
  readonly unanswered?: readonly {
    readonly operation: string;
    /** Absent if there was none, or a long one. */
    readonly body?: string;
    readonly waitedMs: number;
  }[];
  /** Set where no request at all had a response in those 5 s; absent where others were answered. */
  readonly hasStopped?: true;
  /** Operations with repeats or waits. */
  readonly operations: readonly {
    readonly operation: string;
    readonly exchanges: number;
    readonly attempts: number;
    readonly repeats: Readonly<Record<string, number>>;
    readonly waitedMs: Readonly<Record<string, number>>;
  }[];
}

/**
 * Findings, by fingerprint, whose tests ran again at the end of the run, one request at a time: because a violation of overlapping
 * calls, or of calls that change other items, may be the cause of theirs.
 */
export interface RerunRecord {
  readonly type: 'rerun';
  readonly recurred: readonly string[];
  readonly notRecurred: readonly string[];
  /** Tests that ran again beside no others and found the probable cause: these results replace the first ones, whose findings stay. */
  readonly tests: readonly TestRecord[];
}

export interface ErrorRecord {
  readonly type: 'error';
  readonly message: string;
  readonly hint?: string;
  /** Exit code for this error; absent if the harness itself failed. */
  readonly exitCode?: number;
}

export interface RunEnd {
  readonly type: 'run-end';
  readonly durationMs: number;
  readonly interrupted: boolean;
  /** The number of findings after which the run ended before all tests had begun (`--bail`). */
  readonly bailed?: number;
}

/** One line of the run log (NDJSON). */
export type RunRecord =
  | RunStart
  | OperationRecord
  | RequirementRecord
  | TestRecord
  | ObservationRecord
  | EffectsRecord
  | StatisticsRecord
  | RerunRecord
  | ErrorRecord
  | RunEnd
  | TickRecord
  | ScenarioRecord
  | CapacityRecord;
