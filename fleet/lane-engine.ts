import type { LaneSlice } from './messages.ts';

/** Counts and measurements of a lane in one slice of time. */
export type EngineSlice = Omit<LaneSlice, 'trial' | 'lane' | 'attempt'>;

/** A lane that an engine runs. */
export interface RunningLane {
  /** Resolves to the number of open connections when the lane can start. */
  readonly ready: Promise<number>;
  /** Resolves when every request has been reported; rejects if the engine cannot finish the lane, which another agent then runs. */
  readonly done: Promise<void>;
  /**
   * @param startAt start of the schedule, local time in milliseconds since the epoch.
   * @param fromMs offset in the schedule of the first request to send.
   * @param maxRate requests per second that it may send of the agent's limit, where it has no rate of its own.
   */
  go(startAt: number, fromMs: number, maxRate: number): void;
  /** Ends at this offset in the schedule: later requests belong to another owner. */
  until(atMs: number): void;
  /** Ends at once; the outcome of requests in flight is unknown. */
  stop(): void;
}

export interface LaneStart {
  readonly job: unknown;
  /** The requests of the scenario, as the controller wrote them. */
  readonly requests: string;
  /** One Float64: the local time until which the lane may send, in milliseconds since the epoch. */
  readonly lease: SharedArrayBuffer;
  readonly onSlice: (slice: EngineSlice) => void;
  /** Results of checks, redacted. */
  readonly onResult: (result: unknown) => void;
  /** The agent cannot continue, for example because its token could not be renewed. */
  readonly onFailure: (failure: { message: string; hint: string; exitCode: number }) => void;
}

/** Runs lanes. The caller supplies it: the fleet does not know what a lane sends. */
export interface LaneEngine {
  /** The agent takes part in a run: lanes may follow. */
  prepare?(): void;
  start(lane: LaneStart): Promise<RunningLane>;
}
