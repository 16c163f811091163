import type { FleetFigures } from '../spec/index.ts';
import type { Slice } from './engines/messages.ts';
import type { LaneJob } from './jobs.ts';
import type { Judged } from './judging.ts';
import type { SentRequests } from './wire-format.ts';

/** A slice of one lane, with the zone that it was sent from. */
export interface LaneSlice {
  readonly lane: number;
  readonly zone: string;
  readonly slice: Slice;
}

export interface SentTrial {
  readonly requests: SentRequests;
  readonly jobs: readonly LaneJob[];
  readonly durationMs: number;
  readonly timeoutMs: number;
  readonly sliceMs: number;
  readonly warmupMs: number;
  /** Receives the slices of all lanes with the same index, in order. */
  readonly onSlices: (index: number, slices: readonly LaneSlice[]) => void;
  /** A slice that came after its index had been told. */
  readonly onLate: (index: number, slice: LaneSlice) => void;
  readonly onJudged: (judged: Judged) => void;
  readonly signal: AbortSignal;
  readonly limitMs?: number;
}

export interface SentEnd {
  readonly stopped: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly connected: number;
  readonly nextIds: readonly number[];
  /** Ids of each lane whose fate is unknown: from, and up to, without it, to. */
  readonly unknownIds: readonly (readonly (readonly [from: number, to: number])[])[];
  readonly fleet: FleetFigures;
}

/** Other machines that send the requests of trials. */
export interface Senders {
  /** Lanes of a trial. */
  readonly lanes: number;
  /** Requests per second that they reach together against a stub. */
  readonly rate: number;
  /** Repeat a load run once that lost one of them. */
  readonly repeatsLost: boolean;
  send(trial: SentTrial): Promise<SentEnd>;
}
