import type { EngineJob, Slice } from './messages.ts';
import type { Recorder } from './recorder.ts';
import type { SampleBudget } from './samples.ts';
import type { Refusals } from './refusals.ts';
import type { Picker } from './traffic.ts';

/** What an engine works with. */
export interface EngineContext {
  readonly job: EngineJob;
  readonly recorder: Recorder;
  readonly picker: Picker;
  readonly samples: SampleBudget;
  readonly refusals: Refusals;
}

/** A running engine. */
export interface RunningEngine {
  /** Resolves with the number of connections when the run can start. */
  readonly ready: Promise<number>;
  /** Resolves when every request is accounted for. */
  readonly finished: Promise<void>;
  /**
   * @param startAt on the clock of `performance.now()`.
   * @param fromMs passes over what is due before this time of the schedule.
   * @returns the id of its first request.
   */
  go(startAt: number, fromMs: number): number;
  /** Gives out no request that is due at this time of the schedule or later. */
  until(atMs: number): void;
  /** Ends at once; requests in flight are not counted. */
  stop(): void;
  /** For engines that make their requests themselves. */
  replaceToken?(from: string, to: string): void;
  gauges(): Pick<Slice, 'inFlight' | 'backlog' | 'connections' | 'flow'>;
}

/** The closed or the open model. */
export interface Engine {
  start(context: EngineContext): RunningEngine;
}

/** Whether a status counts as success. */
export function accepted(accepts: readonly number[], status: number): boolean {
  return accepts.length === 0 ? status >= 200 && status < 300 : accepts.includes(status);
}

/** The time until which a worker may send. Another thread extends it. */
export class Lease {
  readonly #until: Float64Array | undefined;

  constructor(memory: SharedArrayBuffer | undefined) {
    this.#until = memory && new Float64Array(memory);
  }

  /** On the clock of `performance.now()`. */
  get endsAt(): number {
    return this.#until === undefined ? Infinity : (this.#until[0] as number) - performance.timeOrigin;
  }
}
