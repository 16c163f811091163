import type { Credential } from '../../client/security.ts';
import type { Effect, FlowFigures } from '../../spec/index.ts';
import type { Share } from '../engines/schedule.ts';
import { usersShare } from './executors.ts';
import type { Users } from './executors.ts';

/** An operation of the description, as far as flows need it. */
export interface KnownOperation {
  readonly id: string;
  readonly method: string;
  readonly effect: Effect;
  readonly forms: readonly { readonly name: string; readonly path: string }[];
  /** Authentication of its requests; default: a bearer token. */
  readonly secrets?: FlowSecrets | undefined;
}

/** Authentication of the requests of an operation: headers, and parameters of the query. */
export interface FlowSecrets {
  readonly sendsToken: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  /** With `GIVEN_TOKEN` in place of a token that the flow gives. */
  readonly given: readonly Credential[];
  /** The cookie of every request. */
  readonly cookie: string | undefined;
}

/** The data that a worker needs to run a flow. Plain data, because it crosses threads. */
export interface FlowJob {
  /** The module that exports the scenario. */
  readonly file: string;
  readonly operations: readonly KnownOperation[];
  readonly effects: readonly Effect[];
  /** Part of every name that {@link Session.unique} returns. */
  readonly tag: string;
  /** Path of the base URL; with the origin for a proxy that needs whole URLs. */
  readonly prefix: string;
  /** Header lines of every request, each with its line end. */
  readonly head: string;
  readonly token?: string;
  /** Default: arrivals start iterations. */
  readonly users?: Users;
  /** Maximum number of requests per second of this worker. */
  readonly maxRate?: number;
}

export function flowShare(flow: FlowJob, { index, count }: Share): FlowJob {
  const { users, maxRate } = flow;
  return {
    ...flow,
    ...(users && { users: usersShare(users, index, count) }),
    ...(maxRate === undefined ? {} : { maxRate: maxRate / count }),
  };
}

/** The counts of iterations in one slice. */
export interface FlowCounts extends Pick<
  FlowFigures,
  'completed' | 'failed' | 'dropped' | 'interrupted' | 'mostRunning'
> {
  /** Requests that waited for the maximum rate. */
  readonly paced: number;
  /** Running now. */
  readonly running: number;
  /** Durations of completed iterations from their due time: buckets and counts, alternating. */
  readonly latencies: Float64Array;
  readonly checks: readonly (readonly [name: string, passed: number, failed: number])[];
  /** Errors of the scenario, with file and line. */
  readonly mistakes: readonly (readonly [text: string, count: number])[];
}
