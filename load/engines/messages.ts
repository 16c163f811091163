import type { Schedule, Share } from './schedule.ts';
import type { Traffic } from './traffic.ts';

export type Model = 'closed' | 'open';

/** Where requests go, as sockets need it. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Accept a certificate that nobody vouches for. */
  readonly insecure: boolean;
  readonly ca?: string;
}

/** What a worker is told. Plain data: it crosses threads. */
export interface EngineJob {
  readonly model: Model;
  readonly endpoint: Endpoint;
  readonly traffic: Traffic;
  readonly share: Share;
  readonly seed: number;
  /** Connections of this worker at the start, and at most. */
  readonly connections: number;
  readonly maxConnections: number;
  readonly timeoutMs: number;
  readonly durationMs: number;
  readonly sliceMs: number;
  /** What the open model follows. */
  readonly schedule?: Schedule;
  /** What the closed model stays under, requests a second of this worker. */
  readonly maxRate?: number;
  readonly samplesPerSecond: number;
  /** The id of the first request, where an earlier trial of the same run used those below. */
  readonly firstId: number;
  /** Report the ids of requests that were not acknowledged. */
  readonly keepsIds: boolean;
}

/** An answer kept for judging, with the request as it was sent. */
export interface Sample {
  /** Index into the traffic's requests. */
  readonly request: number;
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

export interface SlicePart {
  readonly answered: number;
  readonly failed: number;
  /** Pairs of microseconds and count. */
  readonly latencies: Float64Array;
}

/** What one worker saw in a slice of time. */
export interface Slice {
  readonly index: number;
  readonly spanMs: number;
  readonly sent: number;
  /** Sent after they were due because every connection was busy. */
  readonly late: number;
  /** Never sent: the connection that they waited for did not come in time. */
  readonly unsent: number;
  readonly inFlight: number;
  readonly backlog: number;
  readonly connections: number;
  /** Share of the time in which the worker's event loop was busy, 0 to 1. */
  readonly busy: number;
  readonly errors: readonly (readonly [kind: string, count: number])[];
  /** From due to sent, where a connection was free: the generator's own lateness. Pairs of microseconds and count. */
  readonly lag: Float64Array;
  readonly parts: readonly SlicePart[];
  readonly samples: readonly Sample[];
  /** Ids of requests that were not acknowledged, for audits. */
  readonly failedIds: readonly number[];
}

export type ToWorker = { readonly type: 'go'; readonly startAt: number } | { readonly type: 'stop' };

export type FromWorker =
  | { readonly type: 'ready'; readonly connected: number }
  | { readonly type: 'slice'; readonly slice: Slice }
  | { readonly type: 'done'; readonly nextId: number };
