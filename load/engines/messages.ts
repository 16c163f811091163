import type { Credentials } from '../../client/tls.ts';
import type { FlowCounts, FlowJob } from '../flow/job.ts';
import type { Schedule, Share } from './schedule.ts';
import type { Series, Traffic } from './traffic.ts';

export type Model = 'closed' | 'open';

/** Where requests go. */
export interface Endpoint extends Credentials {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Accept untrusted certificates. */
  readonly insecure: boolean;
  /** The name that its certificate must have, where that is not the host. */
  readonly name?: string;
}

/** The task of a worker. Plain data, because it crosses threads. */
export interface EngineJob {
  readonly model: Model;
  readonly endpoint: Endpoint;
  readonly traffic: Traffic;
  /** Number of the worker, which makes its ids different from those of the others. */
  readonly worker: number;
  /** Its part of the schedule. */
  readonly share: Share;
  readonly seed: number;
  /** Initial and maximum number of connections of this worker. */
  readonly connections: number;
  readonly maxConnections: number;
  readonly timeoutMs: number;
  readonly durationMs: number;
  readonly sliceMs: number;
  /** Of the open model. */
  readonly schedule?: Schedule;
  /** Of the closed model: maximum requests per second of this worker. */
  readonly maxRate?: number;
  readonly samplesPerSecond: number;
  /** The id of the first request; earlier trials of the run used those below. */
  readonly firstId: number;
  /** Report the ids of requests that were not acknowledged. */
  readonly keepsIds: boolean;
  /** The token can be asked about, so that a 401 is explained before it counts as a failure. */
  readonly watchesToken: boolean;
  /** Iterations of a scenario in place of the requests of the traffic. */
  readonly flow?: FlowJob;
  /**
   * A Float64 in shared memory: until when this worker may send, in milliseconds since the epoch. What is due later is
   * withheld, until the moment is put off. Left out: for as long as the schedule lasts.
   */
  readonly lease?: SharedArrayBuffer;
}

/** A sampled response to be checked, with its request as sent. */
export interface Sample {
  /** Index into the traffic's requests; -1 for a request that a flow has made. */
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

/** The requests of one part and one operation. */
export interface SlicePart extends Series {
  readonly answered: number;
  readonly failed: number;
  /** Statuses that were accepted. */
  readonly statuses: readonly (readonly [status: number, count: number])[];
  /** Statuses that were not, and kinds of failure. */
  readonly errors: readonly (readonly [kind: string, count: number])[];
  /** Pairs of bucket and count: see `Latencies`. */
  readonly latencies: Float64Array;
}

/** Counts of one worker in one slice of time. */
export interface Slice {
  readonly index: number;
  readonly spanMs: number;
  readonly sent: number;
  /** The ids given out: those from `from` up to, without it, `to`. */
  readonly from: number;
  readonly to: number;
  /** The id after the last that was not withheld. */
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
  /** Generator lag: from due to sent, where a connection was free. Pairs of bucket and count. */
  readonly lag: Float64Array;
  /** One for each series of the traffic. */
  readonly parts: readonly SlicePart[];
  readonly samples: readonly Sample[];
  /** Ids of requests that were not acknowledged, for audits. */
  readonly failedIds: readonly number[];
  /** Of iterations, where a flow runs. */
  readonly flow?: FlowCounts;
}

export type ToWorker =
  /** What is due before `fromMs` of the schedule belongs to an earlier owner of the share, and is passed over. */
  | { readonly type: 'go'; readonly startAt: number; readonly fromMs?: number }
  | { readonly type: 'token'; readonly from: string; readonly to: string }
  | { readonly type: 'count-refusals' }
  /** What is due from this time of the schedule on belongs to another owner. */
  | { readonly type: 'until'; readonly atMs: number }
  | { readonly type: 'stop' };

export type FromWorker =
  | { readonly type: 'ready'; readonly connected: number }
  | { readonly type: 'slice'; readonly slice: Slice }
  | { readonly type: 'refused' }
  | { readonly type: 'done'; readonly nextId: number };
