import type {
  CapacityRecord,
  EffectsRecord,
  Finding,
  Grade,
  ObservationRecord,
  RunStart,
  ScenarioRecord,
} from '../../spec/index.ts';

export type RunVerdict = 'kept' | 'broken' | 'error' | 'interrupted';
export type Verdict = 'kept' | 'broken' | 'untried';

/** How a finding stands to the baseline; without a baseline all are `new`. */
export type Standing = 'new' | 'known' | 'expired';

/** A finding and all its occurrences: same fingerprint, forms joined as `/api, /api/v1`. */
export interface MergedFinding extends Finding {
  /** True where the baseline holds it and has not expired: it is shown and does not fail the run. */
  readonly known: boolean;
  readonly standing: Standing;
  /** Reason and expiry of its baseline entry. */
  readonly baselineReason?: string;
  readonly expires?: string;
  readonly forms: readonly string[];
  /** Where it was seen; several where one cause shows on many operations alike. */
  readonly operations: readonly string[];
  readonly occurrences: number;
  /** Names of the tests that hit it. */
  readonly tests: readonly string[];
}

export interface FormSummary {
  readonly verdict: Verdict;
  /** Answers by status; `000` where none came. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly findings: number;
  /** Why it is untried. */
  readonly reason?: string;
}

export interface OperationSummary {
  readonly id: string;
  readonly section: string;
  readonly effect: string;
  readonly forms: Readonly<Record<string, FormSummary>>;
}

export interface RequirementSummary {
  readonly id: string;
  readonly section: string;
  readonly grade: Grade;
  readonly text: string;
  readonly verdict: Verdict;
  /** Why it is untried. */
  readonly reason?: string;
  /** How many tests that cite it passed. */
  readonly passed: number;
  /** Fingerprints of the findings that cite it. */
  readonly findings: readonly string[];
}

export interface RunError {
  readonly message: string;
  readonly hint?: string;
  readonly exitCode?: number;
  /** Set where a test, not the run, ended with an error. */
  readonly test?: string;
}

export interface FixedFinding {
  readonly fingerprint: string;
  readonly check: string;
  readonly operation: string;
  readonly message: string;
}

/** What `DIR/summary.json` holds: the keys of the command line's document, and more. */
export interface Summary {
  readonly tool: 'assay';
  readonly version: string;
  readonly command: RunStart['command'];
  readonly target: RunStart['target'];
  readonly spec: RunStart['spec'];
  readonly seed: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: RunVerdict;
  readonly strict: boolean;
  readonly totals: {
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly errors: number;
    readonly exchanges: number;
    readonly cases: number;
  };
  readonly operations: readonly OperationSummary[];
  readonly requirements: readonly RequirementSummary[];
  readonly findings: readonly MergedFinding[];
  /** In the baseline, tried by this run, and no longer found. */
  readonly fixed: readonly FixedFinding[];
  readonly skips: readonly { readonly what: string; readonly reason: string }[];
  /** Tests that tried fewer cases than they were told to. */
  readonly cutShort: readonly { readonly what: string; readonly cases: number; readonly reason: string }[];
  readonly errors: readonly RunError[];
  readonly effects: Omit<EffectsRecord, 'type'>;
  readonly observations: readonly Omit<ObservationRecord, 'type'>[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly scenarios?: readonly Omit<ScenarioRecord, 'type'>[];
  readonly capacity?: Omit<CapacityRecord, 'type'>;
  /** All searches, where a run holds more than one. */
  readonly capacities?: readonly Omit<CapacityRecord, 'type'>[];
}
