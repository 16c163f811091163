/** One run of the suites against one fault (or, without a name, the healthy service). */
export interface ProveJob {
  readonly fault?: string;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly seed: number;
  /** Looks for what only `--strict` looks for too. */
  readonly strict?: boolean;
}

/** A finding, as far as the matrix needs it. */
export interface Caught {
  readonly check: string;
  readonly operation: string;
  readonly severity: 'violation' | 'warning';
  readonly message: string;
}

export interface ProveAnswer {
  readonly tests: number;
  readonly findings: readonly Caught[];
  readonly errors: readonly string[];
  readonly durationMs: number;
}

/** Runs one job; another one when it is done. */
export type RunJob = (job: ProveJob, signal: AbortSignal) => Promise<ProveAnswer>;
