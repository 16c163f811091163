import type { Effect } from '../../spec/index.ts';
import type { ExecutorName } from './executors.ts';

export interface FlowRequest {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged; its media type is in `headers`. */
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that count as success, or `any`; default: 200 to 299. Another status ends the iteration. */
  readonly expect?: number | readonly number[] | 'any';
  /** Name in the results; default: the operation of the description that the path belongs to. */
  readonly name?: string;
}

export interface FlowResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** From the due time of the request, in milliseconds. */
  readonly latencyMs: number;
  /** Parses the body. Ends the iteration if it is not JSON. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it expects
  json<T>(): T;
}

export type DataRow = Readonly<Record<string, unknown>>;

/** One iteration of a virtual user, or of an arrival. */
export interface Session {
  /** Number of the virtual user, from 1; with arrivals, of the iteration. */
  readonly vu: number;
  /** Number of the iteration in the run, from 0. */
  readonly iteration: number;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Rows of the data files, by the names that the scenario gives them. */
  readonly data: Readonly<Record<string, readonly DataRow[]>>;
  /** The row of a data file for this iteration: one row after the other, then again from the first one. */
  row(name: string): DataRow;
  /** A name that no other iteration has, by which the clean-up finds items. */
  unique(label?: string): string;
  /** Sends this token, or none, with the following requests. */
  authorize(token?: string): void;
  /** `path` follows the base URL. An unexpected response ends the iteration and counts as an error of the target. */
  request(method: string, path: string, request?: FlowRequest): Promise<FlowResponse>;
  get(path: string, request?: FlowRequest): Promise<FlowResponse>;
  /** The body is sent as JSON. */
  post(path: string, body?: unknown, request?: FlowRequest): Promise<FlowResponse>;
  put(path: string, body?: unknown, request?: FlowRequest): Promise<FlowResponse>;
  patch(path: string, body?: unknown, request?: FlowRequest): Promise<FlowResponse>;
  delete(path: string, request?: FlowRequest): Promise<FlowResponse>;
  /** Counts whether a condition holds; the results show the share for each name. */
  check(name: string, holds: boolean): boolean;
  /** Requests within it are one part of the results. */
  group<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Waits, as users do between requests; with two times, for a random time between them. */
  think(ms: number, mostMs?: number): Promise<void>;
}

/** A period of a ramp: the number that it ends with, and how long it takes. */
export interface FlowStage {
  readonly durationMs: number;
  /** Iterations per second, or virtual users. */
  readonly target: number;
}

/** A scenario as a function that each arrival or virtual user runs. */
export interface FlowScenario {
  readonly name: string;
  readonly title?: string;
  /** Effects of its requests; requests with other effects are errors. Default: `read`. */
  readonly effects?: readonly Effect[];
  readonly thresholds?: readonly string[];
  /** Default: `constant-arrival-rate`, with stages `ramping-arrival-rate`. */
  readonly executor?: ExecutorName;
  /** Iterations per second. */
  readonly rate?: number;
  /** Virtual users. */
  readonly vus?: number;
  /** Iterations of each virtual user, or of all together, by executor. */
  readonly iterations?: number;
  readonly stages?: readonly FlowStage[];
  /** Data files by name, relative to the file of the scenario: CSV with a header line, NDJSON or JSON. */
  readonly data?: Readonly<Record<string, string>>;
  flow(session: Session): Promise<void>;
}
