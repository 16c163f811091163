import type { Grade } from '../spec/index.ts';

/** One run of the suites against the service with some defects, some healthy variations, or neither. */
export interface ProveJob {
  /** Names of defects; several only where they show in different operations. */
  readonly defects: readonly string[];
  /** Names of healthy variations. */
  readonly healthy: readonly string[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly seed: number;
  /** Generated cases per property. */
  readonly runs: number;
  /** Also tests published requirements. */
  readonly strict: boolean;
  /** Ends at the first finding that shows a defect; left out: runs every test. */
  readonly endsAt?: Expected;
}

/** What shows a defect. */
export interface Expected {
  /** Operations that a correct finding can name; empty: any. */
  readonly operations: readonly string[];
  /** Checks that are expected to catch it. */
  readonly checks: readonly string[];
  /** True where it violates published requirements only. */
  readonly warns: boolean;
}

/**
 * True for a finding that shows a defect. A warning counts where only published requirements are violated, or where an
 * expected check warns of an inferred one.
 */
export function counts(
  { check, operation, severity, grade }: Pick<ProveFinding, 'check' | 'operation' | 'severity' | 'grade'>,
  { operations, checks, warns }: Expected,
): boolean {
  const counted = warns || severity === 'violation' || (grade === 'inferred' && checks.includes(check));
  return counted && (operations.length === 0 || operations.includes(operation));
}

/** A finding, as far as the score needs it. `message` is for display only. */
export interface ProveFinding {
  readonly check: string;
  readonly operation: string;
  readonly severity: 'violation' | 'warning';
  readonly grade: Grade;
  readonly message: string;
  /** The test that found it first. */
  readonly test: string;
  /** Exchanges of the run before it was found. */
  readonly afterExchanges: number;
}

export interface ProveAnswer {
  /** Tests that ran. */
  readonly tests: number;
  readonly skipped: number;
  readonly findings: readonly ProveFinding[];
  readonly errors: readonly string[];
  /** Exchanges of all tests. */
  readonly exchanges: number;
  readonly durationMs: number;
  /** How often each defect changed a request or a response. */
  readonly hits: Readonly<Record<string, number>>;
}

export const NO_ANSWER: ProveAnswer = {
  tests: 0,
  skipped: 0,
  findings: [],
  errors: [],
  exchanges: 0,
  durationMs: 0,
  hits: {},
};

/** Runs one job. */
export type RunJob = (job: ProveJob, signal: AbortSignal) => Promise<ProveAnswer>;
