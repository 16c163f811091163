import type {
  ErrorRecord,
  CapacityRecord,
  EffectsRecord,
  Finding,
  Grade,
  ObservationRecord,
  RunStart,
  ScenarioRecord,
  StatisticsRecord,
} from '../../spec/index.ts';

export type RunVerdict = 'passed' | 'failed' | 'inconclusive' | 'error' | 'interrupted';

export type FormVerdict = 'passed' | 'failed' | 'untested';

export type RequirementVerdict = 'verified' | 'violated' | 'untested';

/** How a finding relates to the baseline; without a baseline all are `new`. */
export type Standing = 'new' | 'known' | 'expired';

/** A finding with all its occurrences: one fingerprint, forms joined as `/api, /api/v1`. */
export interface MergedFinding extends Finding {
  /** In the baseline and not expired: shown, but does not fail the run. */
  readonly known: boolean;
  readonly standing: Standing;
  /** Fails the run: not known, and a violation or, with `--strict`, a warning. */
  readonly fails: boolean;
  readonly baselineReason?: string;
  /** Last day on which the baseline excuses it, `2026-12-31`. */
  readonly expires?: string;
  readonly forms: readonly string[];
  /** Operations on which it was seen, its own first. */
  readonly operations: readonly string[];
  readonly occurrences: number;
  /** Names of the tests that reported it. */
  readonly tests: readonly string[];
  /** Whether it was found again when its tests ran once more, one request at a time; absent where they did not. */
  readonly recurred?: boolean;
}

/** Findings that most likely have one root cause, by fingerprint; each finding is in exactly one group. */
export interface FindingGroup {
  /** The finding to read first. */
  readonly lead: string;
  /** The same defect on other operations. */
  readonly same: readonly string[];
  /** Other symptoms, probably of the same cause. */
  readonly related: readonly string[];
}

export interface FormSummary {
  readonly verdict: FormVerdict;
  /** Whether a valid request was answered successfully. */
  readonly reached: boolean;
  /** Responses by status; `000` where none came. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How often valid requests were refused, by status, where none succeeded and some were sent. */
  readonly refused?: Readonly<Record<string, number>>;
  readonly findings: number;
  /** Tests that stopped at findings of other operations, where there are any and others passed. */
  readonly stopped?: number;
  /** Set where a selection of tests used it for set-up only. */
  readonly isSetUp?: boolean;
  /** Set where tests were selected and skipped, and none passed. */
  readonly isSkipped?: true;
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
  readonly verdict: RequirementVerdict;
  readonly reason?: string;
  /** Fingerprints of the findings at which its tests stopped, where it is untested because of them. */
  readonly stoppedBy?: readonly string[];
  /** Operations on which a test of it passed and no finding cites it. */
  readonly verifiedIn: number;
  /** Operations on which a test of it was planned. */
  readonly of: number;
  readonly passed: number;
  /** Fingerprints of the findings that cite it. */
  readonly findings: readonly string[];
}

export interface RunError extends Omit<ErrorRecord, 'type'> {
  /** Set where a test, not the run, ended with an error. */
  readonly test?: string;
}

export type FixedFinding = Pick<Finding, 'fingerprint' | 'check' | 'operation' | 'message'>;

/** Changes that became visible only after a wait, within `--settle`. */
export interface LateSummary {
  /** Reads that returned an older state. */
  readonly staleLooks: number;
  /** By the operation that showed the change, the latest first. */
  readonly operations: readonly { readonly operation: string; readonly times: number; readonly latestMs: number }[];
}

export type Scenario = Omit<ScenarioRecord, 'type'>;

export type Search = Omit<CapacityRecord, 'type'>;

/** What `DIR/summary.json` holds: the documented keys, and more. */
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
  /** Set where `--bail` ended the run before all tests had begun: after that many findings. */
  readonly bailed?: number;
  /** Why the verdict is `inconclusive`. */
  readonly reason?: string;
  readonly strict: boolean;
  readonly totals: {
    readonly passed: number;
    readonly failed: number;
    /** Of those failed, the ones with known findings only, which do not fail the run; left out if there are none. */
    readonly known?: number;
    readonly skipped: number;
    readonly errors: number;
    readonly exchanges: number;
    readonly cases: number;
    /** Of those skipped, the ones for which the time of the run was not enough; left out if there are none. */
    readonly outOfTime?: number;
  };
  readonly operations: readonly OperationSummary[];
  /** How many operations answered a valid request successfully, in any form. */
  readonly reach: { readonly reached: number; readonly of: number };
  readonly requirements: readonly RequirementSummary[];
  readonly findings: readonly MergedFinding[];
  readonly groups: readonly FindingGroup[];
  /** Entries of the baseline that this run tested and did not find. */
  readonly fixed: readonly FixedFinding[];
  /** Number of findings that the run has added to the baseline (`--update-baseline`). */
  readonly recorded?: number;
  /** Operations of baseline entries that the description does not have; left out if there are none. */
  readonly unknownInBaseline?: readonly string[];
  readonly skips: readonly { readonly what: string; readonly reason: string }[];
  /** Tests that ran fewer cases than configured. */
  readonly cutShort: readonly { readonly what: string; readonly cases: number; readonly reason: string }[];
  readonly errors: readonly RunError[];
  readonly effects: Omit<EffectsRecord, 'type'>;
  /** What the client sent, repeated and waited for. */
  readonly statistics?: Omit<StatisticsRecord, 'type'>;
  /** Changes that became visible late. */
  readonly late: LateSummary;
  readonly observations: readonly Omit<ObservationRecord, 'type'>[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly environment?: RunStart['environment'];
  readonly scenarios?: readonly Scenario[];
  readonly capacity?: Search;
  /** All searches, where a run holds more than one. */
  readonly capacities?: readonly Search[];
}

export function searchesOf({ capacity, capacities }: Pick<Summary, 'capacity' | 'capacities'>): readonly Search[] {
  return capacities ?? (capacity === undefined ? [] : [capacity]);
}
