import type { World } from '../world/world.ts';
import type { Identity } from './identity.ts';
import type { Answer } from './answer.ts';
import type { Query } from './query.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `none`: no token; `any`: any valid token; else the permission that the token must carry. */
export type Permission = 'none' | 'any' | 'RACI:management.accesscontrol' | 'RACI:management.aiagents';

export interface Operation {
  /** `METHOD /path` after the form. */
  readonly id: string;
  readonly method: Method;
  /** Template with `{name}` parameters. */
  readonly path: string;
  /** Prefixes of the path: `/api`, `/api/v1`. */
  readonly forms: readonly string[];
  readonly permission: Permission;
  /** True if the operation reads a JSON body. */
  readonly body: boolean;
  readonly handle: Handler;
}

/** A request in the pipeline. Wrappers may change everything that is not read-only. */
export interface Call {
  /** Undefined if no route matched. */
  readonly operation: Operation | undefined;
  /** Path as sent, without the query. */
  readonly path: string;
  /** That of the caller's tenant, after authentication. */
  world: World;
  params: Readonly<Record<string, string>>;
  query: Query;
  authorization: string | undefined;
  accept: string | undefined;
  contentType: string | undefined;
  raw: Buffer | undefined;
  /** The parsed body, set before the inner wrappers run. */
  body: unknown;
  /** Set after authentication. */
  identity: Identity | undefined;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

/** Middleware around a call. `next` does not throw: a rejection is a response too. */
export type Wrap = (call: Call, next: Handler) => Answer | Promise<Answer>;

/** The path parameter of that name; the route guarantees it. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? '';
}
