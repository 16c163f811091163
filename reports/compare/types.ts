import type { MergedFinding, RunVerdict, Verdict } from '../summary/types.ts';

/** One side of a comparison, for its heading. */
export interface ComparedRun {
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly seed: number;
  readonly verdict: RunVerdict;
  readonly durationMs: number;
}

export interface OperationChange {
  readonly operation: string;
  readonly form: string;
  /** Undefined where the operation is not in that run. */
  readonly before: OperationState | undefined;
  readonly after: OperationState | undefined;
}

export interface OperationState {
  readonly verdict: Verdict;
  /** Which statuses were answered; how often is chance. */
  readonly statuses: readonly string[];
}

/** A pair of values of which at least one side has one. */
export interface Change {
  readonly what: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface TimeChange {
  readonly operation: string;
  readonly beforeMs: number;
  readonly afterMs: number;
}

export interface LoadChange {
  readonly scenario: string;
  readonly measure: string;
  readonly before: number;
  readonly after: number;
}

/** What changed from one run to another. */
export interface Comparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  readonly findings: {
    readonly new: readonly MergedFinding[];
    /** Of the earlier run, tried again by the later and not found. */
    readonly fixed: readonly MergedFinding[];
    readonly same: readonly MergedFinding[];
    /** Of the earlier run, not tried again by the later. */
    readonly untried: readonly MergedFinding[];
  };
  readonly requirements: readonly Change[];
  readonly operations: readonly OperationChange[];
  readonly observations: readonly Change[];
  /** Operations whose requests became much slower or faster. */
  readonly durations: readonly TimeChange[];
  readonly load: readonly LoadChange[];
  /** Things to know before reading on, for example that the seeds differ. */
  readonly notes: readonly string[];
}
