import type { FleetFigures } from '../spec/index.ts';
import type { TrialEnd } from './engines/threads.ts';
import type { LaneJob } from './jobs.ts';
import type { Judged } from './judging.ts';
import type { ReceivedSlice, SentRequests } from './wire-format.ts';

/** A slice of one lane, with the zone of the agent that sent it. */
export interface ZonedSlice {
  readonly lane: number;
  readonly zone: string;
  readonly slice: ReceivedSlice;
}

/** A trial that other machines send. */
export interface SentTrial {
  readonly requests: SentRequests;
  readonly jobs: readonly LaneJob[];
  readonly durationMs: number;
  readonly timeoutMs: number;
  readonly sliceMs: number;
  readonly warmupMs: number;
  /** Receives the slices of all lanes with the same index, in order. */
  readonly onSlices: (index: number, slices: readonly ZonedSlice[]) => void;
  /** A slice that came after `onSlices` was called with its index. */
  readonly onLate: (index: number, slice: ZonedSlice) => void;
  readonly onJudged: (judged: Judged) => void;
  readonly signal: AbortSignal;
  readonly limitMs: number | undefined;
}

/** How a trial that other machines sent has ended. */
export interface SentEnd extends TrialEnd {
  /** Ids of each lane with an unknown outcome, in ranges: from `from` to before `to`. */
  readonly unknownIds: readonly (readonly (readonly [from: number, to: number])[])[];
  readonly fleet: FleetFigures;
}

/** Other machines that send the requests of trials. */
export interface Senders {
  /** Number of lanes of a trial. */
  readonly lanes: number;
  /** Requests per second that they reach together against a stub server. */
  readonly rate: number;
  /** Repeat a load run once if one of them was lost. */
  readonly repeatsLost: boolean;
  send(trial: SentTrial): Promise<SentEnd>;
}
