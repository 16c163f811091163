import type { Effect } from '../../spec/index.ts';
import type { ExecutorName } from './executors.ts';

/** What a request of a flow may set. */
export interface FlowRequest {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is; with its media type in `headers`. */
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that count as success, or `any`; default: 200 to 299. Another status ends the iteration. */
  readonly expect?: number | readonly number[] | 'any';
  /** Name in the results; default: the operation of the description that the path belongs to. */
  readonly name?: string;
}

/** An answer. */
export interface FlowResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** From the moment at which the request was due, in milliseconds. */
  readonly latencyMs: number;
  /** Parses the body; an error where it is not JSON. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it expects
  json<T>(): T;
}

/** One row of a data file. */
export type DataRow = Readonly<Record<string, unknown>>;

/** One iteration of a virtual user, or of an arrival. */
export interface Session {
  /** Number of the virtual user from 1; of the iteration where arrivals start iterations. */
  readonly vu: number;
  /** Number of the iteration in the run from 0, each once. */
  readonly iteration: number;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Rows of the data files, by the names that the scenario gives them. */
  readonly data: Readonly<Record<string, readonly DataRow[]>>;
  /** The row of a data file that belongs to this iteration: one after the other, from the start again at the end. */
  row(name: string): DataRow;
  /** A name that no other iteration has; the clean-up finds what carries it. */
  unique(label?: string): string;
  /** Sends this token with the requests that follow; without one, none. */
  authorize(token?: string): void;
  /** `path` follows the base URL. An answer that is not expected ends the iteration and counts as an error of the target. */
  request(method: string, path: string, request?: FlowRequest): Promise<FlowResponse>;
  get(path: string, request?: FlowRequest): Promise<FlowResponse>;
  /** The body is sent as JSON. */
  post(path: string, body?: unknown, request?: FlowRequest): Promise<FlowResponse>;
  put(path: string, body?: unknown, request?: FlowRequest): Promise<FlowResponse>;
  patch(path: string, body?: unknown, request?: FlowRequest): Promise<FlowResponse>;
  delete(path: string, request?: FlowRequest): Promise<FlowResponse>;
  /** Counts whether something holds; the results show each name with its share. */
  check(name: string, holds: boolean): boolean;
  /** Requests within it are one part of the results. */
  group<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Waits, as users do between two requests; with two times a random one between them. */
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
  /** What its requests do; others are refused. Default: `read`. */
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
  /** Data files by name, relative to the file of the scenario: CSV with a head line, NDJSON or JSON. */
  readonly data?: Readonly<Record<string, string>>;
  flow(session: Session): Promise<void>;
}
