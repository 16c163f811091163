import type { LaneSlice } from './messages.ts';

/** Counts of a lane and the figures of its engine in one slice of time. */
export type EngineSlice = Omit<LaneSlice, 'trial' | 'lane' | 'attempt'>;

/** A lane that was started. */
export interface RunningLane {
  /** The number of its connections, when it can start. */
  readonly ready: Promise<number>;
  /** Resolves when every request is accounted for and told. */
  readonly done: Promise<void>;
  /** @param startAt when the schedule starts, in milliseconds since the epoch by this machine. */
  go(startAt: number, fromMs: number): void;
  /** What is due from this time of the schedule on belongs to another owner. */
  until(atMs: number): void;
  /** Ends at once; what is in flight is unknown. */
  stop(): void;
}

export interface LaneStart {
  readonly job: unknown;
  /** The requests of the scenario, as the controller gave them. */
  readonly requests: string;
  /** A Float64: until when it may send, in milliseconds since the epoch by this machine. */
  readonly lease: SharedArrayBuffer;
  readonly onSlice: (slice: EngineSlice) => void;
  /** Results of checks, redacted. */
  readonly onResult: (result: unknown) => void;
  /** The agent cannot go on, for example because its token was not renewed. */
  readonly onFailure: (failure: { message: string; hint: string; exitCode: number }) => void;
}

/** Sends lanes. Supplied by the caller: the fleet knows nothing of requests. */
export interface LaneEngine {
  start(lane: LaneStart): Promise<RunningLane>;
}
