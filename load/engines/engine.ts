import type { EngineJob } from './messages.ts';
import type { Recorder } from './recorder.ts';
import type { SampleBudget } from './sample-budget.ts';
import type { Picker } from './traffic.ts';

/** What an engine works with; everything is passed in. */
export interface EngineContext {
  readonly job: EngineJob;
  readonly recorder: Recorder;
  readonly picker: Picker;
  readonly samples: SampleBudget;
}

/** A run under way. */
export interface RunningEngine {
  /** Resolves when enough connections are there to begin, or it is clear that they won't be. */
  readonly ready: Promise<number>;
  /** Resolves when every request is accounted for. */
  readonly finished: Promise<void>;
  /** @param startAt on the clock of `performance.now()`. */
  go(startAt: number): void;
  /** Ends at once; what is under way is dropped and counts as nothing. */
  stop(): void;
  gauges(): { readonly inFlight: number; readonly backlog: number; readonly connections: number };
}

/** A way of sending: closed or open model. */
export interface Engine {
  start(context: EngineContext): RunningEngine;
}

/** Whether a status counts as success. */
export function accepted(accepts: readonly number[], status: number): boolean {
  return accepts.length === 0 ? status >= 200 && status < 300 : accepts.includes(status);
}
