import type { Operation } from '../../spec/index.ts';
import type { Tokens } from '../../service/start.ts';

/** Whom the Authorization header of a request stands for; a permission is the holder of that one only. */
export type Caller = Exclude<keyof Tokens, 'permissions'> | `RACI:${string}` | 'none' | 'invalid';

/** A request on its way to the target. */
export interface Outgoing {
  readonly method: string;
  /** Still encoded, without the query. */
  readonly path: string;
  /** Still encoded, without `?`. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response, from the target or made up. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
  /**
   * How it is sent. `reset` destroys the connection, `short` sends half of the announced body. Valid HTTP are `chunked` (no
   * length), `trickle` (many small parts), `until-close` (ends with the connection, as in HTTP/1.0) and `hinted` (102 and 103 first).
   */
  readonly wire?: 'reset' | 'short' | 'chunked' | 'trickle' | 'until-close' | 'hinted';
}

/** Which documented operation a request addresses. */
export interface Route {
  readonly operation: Operation;
  readonly id: string;
  /** Name of the form. */
  readonly form: string;
  readonly params: Readonly<Record<string, string>>;
}

/** A request with all that is known about it. */
export interface Call extends Outgoing {
  readonly route: Route | undefined;
  readonly role: Caller;
  readonly search: URLSearchParams;
  /** The parsed body where it is JSON. */
  readonly json: unknown;
}

/** Passes the request on, with changes if any. */
export type Next = (changes?: Partial<Outgoing>) => Promise<Reply>;

export type Handler = (call: Call, next: Next) => Promise<Reply> | Reply;

/** What a handler can use besides the request at hand. */
export interface Context {
  readonly tokens: Tokens;
  /** The documented operation that a request addresses. */
  route(method: string, path: string): Route | undefined;
  /** Sends an extra request to the target with the full token. `target` is path and query. */
  send(method: string, target: string, body?: unknown): Promise<Reply>;
}

/** Builds a handler with a state of its own for one proxy. */
export type Make = (context: Context) => Handler;
