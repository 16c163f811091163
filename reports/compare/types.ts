import type { FormVerdict, MergedFinding, Summary } from '../summary/types.ts';

export type ComparedRun = Pick<Summary['target'], 'baseUrl'> &
  Pick<Summary, 'startedAt' | 'seed' | 'verdict' | 'durationMs'>;

export interface OperationChange {
  readonly operation: string;
  readonly form: string;
  /** Undefined where the operation is not in that run. */
  readonly before: OperationState | undefined;
  readonly after: OperationState | undefined;
}

export interface OperationState {
  readonly verdict: FormVerdict;
  /** The statuses that were answered, without their counts, which depend on chance. */
  readonly statuses: readonly string[];
}

export interface ValueChange {
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

export interface Comparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  readonly findings: {
    readonly new: readonly MergedFinding[];
    /** Of the earlier run, tested again and not found. */
    readonly fixed: readonly MergedFinding[];
    readonly same: readonly MergedFinding[];
    /** Of the same ones, those that fail the later run only. */
    readonly worse: readonly MergedFinding[];
    /** Of the earlier run, not tested again. */
    readonly untested: readonly MergedFinding[];
  };
  readonly requirements: readonly ValueChange[];
  readonly operations: readonly OperationChange[];
  readonly observations: readonly ValueChange[];
  /** Operations whose requests became much slower or faster. */
  readonly durations: readonly TimeChange[];
  readonly load: readonly LoadChange[];
  /** Why the runs may not be comparable, for example different seeds. */
  readonly notes: readonly string[];
}
