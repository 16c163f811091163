import type { Json } from '../../spec/index.ts';

/** A request in the making: what a plan is made of, still as values. */
export interface GeneratedRequest {
  /** Values of the path template, not yet serialised. */
  readonly path: Readonly<Record<string, Json>>;
  /** Values of declared query parameters. */
  readonly query: Readonly<Record<string, Json>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of declared cookies; left out where none is sent. */
  readonly cookies?: Readonly<Record<string, Json>>;
  readonly body?: { readonly type: string; readonly value: Json };
}

/** What the caller knows better than the description. */
export interface RequestOptions {
  /** Path values (ids of what exists) to use as they are; they are never shrunk. */
  readonly path?: Readonly<Record<string, Json>>;
  /** Query values to use as they are. */
  readonly query?: Readonly<Record<string, Json>>;
  /** Members of the body to set as given. */
  readonly pins?: Readonly<Record<string, Json>>;
}
