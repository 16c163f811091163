import type { Json } from '../../spec/index.ts';

/** A request before serialisation. */
export interface GeneratedRequest {
  /** Values of the path template, not yet serialised. */
  readonly path: Readonly<Record<string, Json>>;
  /** Values of declared query parameters. */
  readonly query: Readonly<Record<string, Json>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of declared cookies, if any. */
  readonly cookies?: Readonly<Record<string, Json>>;
  readonly body?: { readonly type: string; readonly value: Json };
}

/** Where a {@link GeneratedRequest} holds the parameters of each location. */
export const PLACES = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** Fixed values that replace generated ones. */
export interface RequestOptions {
  /** Path values, such as ids of existing resources; never shrunk. */
  readonly path?: Readonly<Record<string, Json>>;
  readonly query?: Readonly<Record<string, Json>>;
  /** Properties of the body. */
  readonly pins?: Readonly<Record<string, Json>>;
}
