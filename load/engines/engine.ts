import type { EngineJob, Slice } from './messages.ts';
import type { Recorder } from './recorder.ts';
import type { SampleBudget } from './samples.ts';
import type { Refusals } from './refusals.ts';
import type { Picker } from './traffic.ts';

/** The parts of a worker that an engine uses. */
export interface EngineContext {
  readonly job: EngineJob;
  readonly recorder: Recorder;
  readonly picker: Picker;
  readonly samples: SampleBudget;
  readonly refusals: Refusals;
}

export interface RunningEngine {
  /** Resolves to the number of connections when the run can start. */
  readonly ready: Promise<number>;
  /** Resolves when the outcome of every request is counted. */
  readonly finished: Promise<void>;
  /**
   * @param startAt on the clock of `performance.now()`.
   * @param fromMs skips requests that are due before this time of the schedule.
   * @param maxRate requests per second of the closed model; default: those of the job.
   * @returns the id of its first request.
   */
  go(startAt: number, fromMs: number, maxRate?: number): number;
  /** Sends no request that is due at this time of the schedule or later. */
  until(atMs: number): void;
  /** Sends nothing more: what is due counts as unsent, and requests in flight are awaited, up to their timeout. */
  cut(): void;
  /** Ends at once, without the outcomes of requests in flight. */
  stop(): void;
  /** For engines that encode their requests themselves. */
  replaceToken?(from: string, to: string): void;
  gauges(): Pick<Slice, 'inFlight' | 'backlog' | 'connections' | 'flow'>;
}

export interface Engine {
  start(context: EngineContext): RunningEngine;
}

/** True if a status counts as success. @param accepts empty: 200 to 299 */
export function accepted(accepts: readonly number[], status: number): boolean {
  return accepts.length === 0 ? status >= 200 && status < 300 : accepts.includes(status);
}

/** The time until which a worker may send. Another thread extends it. */
export class Lease {
  readonly #until: Float64Array | undefined;

  constructor(memory: SharedArrayBuffer | undefined) {
    this.#until = memory && new Float64Array(memory);
  }

  /** On the clock of `performance.now()`; Infinity without a lease. */
  get endsAt(): number {
    return this.#until === undefined ? Infinity : (this.#until[0] as number) - performance.timeOrigin;
  }
}
