import type { Credentials } from '../../client/tls.ts';
import type { FlowCounts, FlowJob } from '../flow/job.ts';
import type { EngineSettings } from '../plan.ts';
import type { Schedule, Share } from './schedule.ts';
import type { Series, Traffic } from './traffic.ts';

export type LoadModel = 'closed' | 'open';

export interface Endpoint extends Credentials {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Accept untrusted certificates. */
  readonly insecure: boolean;
  /** The name in its certificate, if it is not the host. */
  readonly name?: string;
}

/** The job of a worker. Plain data, because it crosses threads. */
export interface EngineJob extends Omit<EngineSettings, 'workers'> {
  readonly model: LoadModel;
  readonly endpoint: Endpoint;
  readonly traffic: Traffic;
  /** Number of the worker: part of its ids. */
  readonly worker: number;
  readonly share: Share;
  readonly durationMs: number;
  readonly sliceMs: number;
  /** Of the open model. */
  readonly schedule?: Schedule;
  /** Of the closed model: maximum requests per second of this worker. */
  readonly maxRate?: number;
  /** The id of the first request; earlier trials of the run used lower ids. */
  readonly firstId: number;
  /** Report the ids of requests that were not acknowledged. */
  readonly keepsIds: boolean;
  /** A 401 counts as a failure only after it is known that the token is still valid. */
  readonly watchesToken: boolean;
  /** Iterations of a flow instead of the requests of the traffic. */
  readonly flow?: FlowJob;
  /** A Float64 in shared memory: until when this worker may send, in ms since the epoch; what is due later is withheld. Default: no limit. */
  readonly lease?: SharedArrayBuffer;
}

/** A sampled response, with its request as sent. */
export interface Sample {
  /** Index of the request in the traffic; -1 for a request of a flow. */
  readonly request: number;
  readonly made?: { readonly operation: string; readonly form: string; readonly method: string; readonly path: string };
  readonly sent: Uint8Array;
  readonly status: number;
  /** Status line and headers, up to the empty line. */
  readonly head: Uint8Array;
  readonly body: Uint8Array;
  readonly truncated: boolean;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly durationMs: number;
}

/** @typeParam Counts a histogram: pairs of bucket and count (see `Latencies`), or those as text (see `packLatencies`) */
export interface SlicePart<Counts = Float64Array> extends Series {
  readonly answered: number;
  readonly failed: number;
  /** Statuses that were accepted. */
  readonly statuses: readonly (readonly [status: number, count: number])[];
  /** Other statuses, and kinds of failure. */
  readonly errors: readonly (readonly [kind: string, count: number])[];
  readonly latencies: Counts;
}

/** The counts of one worker in one slice. @typeParam Counts as of {@link SlicePart} */
export interface Slice<Counts = Float64Array> {
  readonly index: number;
  /** From its start by its index to its end; shorter than that of others where the run was stopped in it. */
  readonly spanMs: number;
  readonly sent: number;
  /** The ids of the slice: from `from` to before `to`. */
  readonly from: number;
  readonly to: number;
  /** The id after the last one that was not withheld. */
  readonly sentTo: number;
  /** Requests not sent because the lease had ended when they were due. */
  readonly withheld: number;
  /** Requests sent late because every connection was busy. */
  readonly late: number;
  /** Requests never sent because no connection became free in time. */
  readonly unsent: number;
  /** Requests answered with 401 because their token had ended. */
  readonly refused: number;
  readonly inFlight: number;
  readonly backlog: number;
  readonly connections: number;
  /** Share of the time in which the worker's event loop was busy, 0 to 1. */
  readonly busy: number;
  /** Generator lag: from due to sent, where a connection was free. */
  readonly lag: Counts;
  /** One for each series of the traffic. */
  readonly parts: readonly SlicePart<Counts>[];
  readonly samples: readonly Sample[];
  /** Ids of requests that were not acknowledged, for audits. */
  readonly failedIds: readonly number[];
  /** Of iterations, where a flow runs. */
  readonly flow?: FlowCounts;
}

export type ToWorker =
  /** Requests due before `fromMs` belong to an earlier owner of the share. `maxRate`: most requests per second of the closed model. */
  | { readonly type: 'go'; readonly startAt: number; readonly fromMs?: number; readonly maxRate?: number }
  | { readonly type: 'token'; readonly from: string; readonly to: string }
  | { readonly type: 'count-refusals' }
  /** Requests that are due from this time of the schedule on belong to another owner. */
  | { readonly type: 'until'; readonly atMs: number }
  /** What is due is given up, and requests in flight are awaited. */
  | { readonly type: 'cut' }
  | { readonly type: 'stop' };

/** Milliseconds between two `alive` messages. */
export const ALIVE_MS = 1000;

export type FromWorker =
  | { readonly type: 'ready'; readonly connected: number }
  | { readonly type: 'slice'; readonly slice: Slice }
  | { readonly type: 'refused' }
  /** Sent again and again while a flow does not keep the thread to itself. */
  | { readonly type: 'alive' }
  | { readonly type: 'done'; readonly nextId: number };
