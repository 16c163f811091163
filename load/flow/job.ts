import type { Effect } from '../../spec/index.ts';
import type { Share } from '../engines/schedule.ts';
import { usersShare } from './executors.ts';
import type { Users } from './executors.ts';

/** An operation that requests of a flow may belong to. */
export interface KnownOperation {
  readonly id: string;
  readonly method: string;
  readonly effect: Effect;
  readonly forms: readonly { readonly name: string; readonly path: string }[];
  /** What authenticates its requests; left out: the token. */
  readonly secrets?: FlowSecrets;
}

/** Header lines, each with its line end, and a part of the query. */
export interface FlowSecrets {
  readonly sendsToken: boolean;
  readonly head: string;
  readonly query: string;
}

/** What a worker needs to run a flow. Plain data, because it crosses threads. */
export interface FlowJob {
  /** The module that exports the scenario. */
  readonly file: string;
  readonly operations: readonly KnownOperation[];
  readonly effects: readonly Effect[];
  /** In every name that {@link Session.unique} makes. */
  readonly tag: string;
  /** Path of the base URL, with the origin where a proxy takes whole URLs. */
  readonly prefix: string;
  /** Header lines of every request, each with its line end. */
  readonly head: string;
  readonly token?: string;
  /** Left out: arrivals start iterations. */
  readonly users?: Users;
  /** Highest number of requests per second of this worker. */
  readonly maxRate?: number;
}

/** The part of one worker. */
export function flowShare(flow: FlowJob, { index, count }: Share): FlowJob {
  const { users, maxRate } = flow;
  return {
    ...flow,
    ...(users && { users: usersShare(users, index, count) }),
    ...(maxRate === undefined ? {} : { maxRate: maxRate / count }),
  };
}

/** What iterations did in one slice. */
export interface FlowCounts {
  readonly completed: number;
  /** Ended by a request that failed, or by an error of the scenario. */
  readonly failed: number;
  /** Not started, because too many were running. */
  readonly dropped: number;
  /** Not over when the run ended. */
  readonly interrupted: number;
  /** Running now. */
  readonly running: number;
  /** Time of completed iterations from the moment they were due: pairs of bucket and count. */
  readonly latencies: Float64Array;
  readonly checks: readonly (readonly [name: string, passed: number, failed: number])[];
  /** Errors of the scenario, with file and line. */
  readonly mistakes: readonly (readonly [text: string, count: number])[];
}
