import type { Grade } from '../spec/index.ts';

/** One run of the suites against the service with some defects, some healthy variations, or neither. */
export interface ProveJob {
  /** Names of defects; several only if they are observed on different operations. */
  readonly defects: readonly string[];
  /** Names of healthy variations. */
  readonly healthy: readonly string[];
  /** Patterns of the tests to run; empty: all. */
  readonly only: readonly string[];
  readonly seed: number;
  /** Generated cases per property. */
  readonly runs: number;
  /** Also tests published requirements. */
  readonly strict: boolean;
  /** Ends the run at the first finding that shows this defect; default: runs every test. */
  readonly endsAt?: Expected;
}

/** The findings that show a defect. */
export interface Expected {
  /** Operations that a correct finding can name; empty: any. */
  readonly operations: readonly string[];
  /** Checks that are expected to catch it. */
  readonly checks: readonly string[];
  /** True if it violates published requirements only. */
  readonly warns: boolean;
}

/**
 * True if a finding shows a defect. A warning counts if the defect violates published requirements only, or if an expected
 * check warns of an inferred requirement.
 */
export function counts(
  { check, operation, severity, grade }: Pick<ProveFinding, 'check' | 'operation' | 'severity' | 'grade'>,
  { operations, checks, warns }: Expected,
): boolean {
  const isCounted = warns || severity === 'violation' || (grade === 'inferred' && checks.includes(check));
  return isCounted && (operations.length === 0 || operations.includes(operation));
}

/** The members of a finding that the score needs. `message` is for display only. */
export interface ProveFinding {
  readonly check: string;
  readonly operation: string;
  readonly severity: 'violation' | 'warning';
  readonly grade: Grade;
  readonly message: string;
  /** The test that found it first. */
  readonly test: string;
  /** Number of exchanges of the run before the finding. */
  readonly afterExchanges: number;
}

export interface ProveAnswer {
  /** Number of tests that ran. */
  readonly tests: number;
  readonly skipped: number;
  readonly findings: readonly ProveFinding[];
  readonly errors: readonly string[];
  /** What was created and stayed, as a text for each item. */
  readonly left: readonly string[];
  /** Number of exchanges of all tests. */
  readonly exchanges: number;
  readonly durationMs: number;
  /** How often each defect changed a request or a response. */
  readonly hits: Readonly<Record<string, number>>;
}

const EMPTY_ANSWER = { tests: 0, skipped: 0, findings: [], left: [], exchanges: 0, durationMs: 0, hits: {} };

/** The result of a job that did not run, or failed. */
export const noAnswer = (...errors: readonly string[]): ProveAnswer => ({ ...EMPTY_ANSWER, errors });

export type RunJob = (job: ProveJob, signal: AbortSignal) => Promise<ProveAnswer>;
