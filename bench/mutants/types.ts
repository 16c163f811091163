/** What the embedded service, or whatever stands behind the proxy, takes as credentials. */
export interface Tokens {
  readonly full: string;
  readonly limited: string;
  readonly expired: string;
}

/** A request as it goes to the upstream. */
export interface Ask {
  readonly method: string;
  /** Still encoded, without the query. */
  readonly path: string;
  /** Still encoded, without `?`. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer, from the upstream or made up. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
  /**
   * `reset` destroys the connection, `short` sends half of the announced body; healthy are `chunked`, without a length, `trickle`, in
   * many small parts, `until-close`, which ends with the connection as in HTTP/1.0, and `hinted`, with 102 and 103 before.
   */
  readonly wire?: 'reset' | 'short' | 'chunked' | 'trickle' | 'until-close' | 'hinted';
}

export type Role = keyof Tokens | 'none' | 'invalid';

/** Which documented operation a request addresses. */
export interface Route {
  /** `METHOD /path/after/the/form`. */
  readonly id: string;
  readonly form: string;
  readonly params: Readonly<Record<string, string>>;
  readonly permission: string;
}

/** A request with all that is known about it. */
export interface Call extends Ask {
  readonly route: Route | undefined;
  readonly role: Role;
  readonly search: URLSearchParams;
  /** The body where it is JSON. */
  readonly json: unknown;
}

/** Passes the request on, changed where wanted. */
export type Next = (changes?: Partial<Ask>) => Promise<Reply>;

export type Handler = (call: Call, next: Next) => Promise<Reply> | Reply;

/** What a handler may use beside the request at hand. */
export interface Context {
  readonly tokens: Tokens;
  /** An extra request to the upstream, with the full token. `target` is path and query. */
  ask(method: string, target: string, body?: unknown): Promise<Reply>;
}

/** Builds a handler with state of its own for one proxy. */
export type Make = (context: Context) => Handler;

/** One broken promise. */
export interface Mutant {
  readonly name: string;
  readonly area: string;
  /** The sentence of api.md that is broken, with its section. */
  readonly breaks: string;
  /** Operations that a truthful finding may name. */
  readonly operations: readonly string[];
  readonly needs?: readonly ('reversible' | 'global' | 'irreversible' | 'costly')[];
  readonly make: Make;
}
