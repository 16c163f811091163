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
}

/** A finding, as far as the score needs it. `message` is for display only. */
export interface ProveFinding {
  readonly check: string;
  readonly operation: string;
  readonly severity: 'violation' | 'warning';
  readonly grade: Grade;
  readonly message: string;
}

export interface ProveAnswer {
  readonly tests: number;
  readonly findings: readonly ProveFinding[];
  readonly errors: readonly string[];
  readonly durationMs: number;
  /** How often each defect changed a request or a response. */
  readonly hits: Readonly<Record<string, number>>;
}

export const NO_ANSWER: ProveAnswer = { tests: 0, findings: [], errors: [], durationMs: 0, hits: {} };

/** Runs one job. */
export type RunJob = (job: ProveJob, signal: AbortSignal) => Promise<ProveAnswer>;
