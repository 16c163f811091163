import type { Call, Context, Handler, Make, Next, Outgoing, Reply } from './message.ts';

export type JsonMap = Record<string, unknown>;

/** `METHOD /path`, the id of an operation. */
export type OperationId = `${string} /${string}`;

/** The requests that a handler changes. */
export interface Where {
  readonly op: OperationId | readonly OperationId[];
  /** `/api` or `/api/v1`; default: both. */
  readonly form?: string;
  readonly when?: (call: Call) => boolean;
}

export type Place = OperationId | readonly OperationId[] | Where;

function whereOf(place: Place): Where {
  return typeof place === 'object' && 'op' in place ? place : { op: place };
}

/** True if a request addresses one of the operations, in the selected form, and meets the condition. */
export function hit(call: Call, place: Place): boolean {
  const where = whereOf(place);
  if (call.route === undefined) return false;
  const ids: readonly string[] = typeof where.op === 'string' ? [where.op] : where.op;
  if (!ids.includes(call.route.id)) return false;
  if (where.form !== undefined && where.form !== call.route.form) return false;
  return where.when?.(call) ?? true;
}

/** True if the request carries the token with every permission. */
export const served = (call: Call): boolean => call.role === 'full';

export function succeeded(reply: Reply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

export function parsed(reply: Reply): unknown {
  try {
    return reply.body.length === 0 ? undefined : (JSON.parse(reply.body.toString('utf8')) as unknown);
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMap) : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** A JSON response. */
export function json(value: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** A response without a body. */
export function empty(status = 200): Reply {
  return { status, headers: {}, body: Buffer.alloc(0) };
}

/** A text response. */
export function text(content: string, type = 'text/plain; charset=utf-8', status = 200): Reply {
  return { status, headers: { 'content-type': type }, body: Buffer.from(content) };
}

/** An error as problem details (RFC 9457). */
export function problem(status: number): Reply {
  const body = { type: 'about:blank', title: `Error ${status}`, status, traceId: '00-1' };
  return { status, headers: { 'content-type': 'application/problem+json' }, body: Buffer.from(JSON.stringify(body)) };
}

/** The same response with another JSON body. */
export function withJson(reply: Reply, value: unknown): Reply {
  return { ...reply, body: Buffer.from(JSON.stringify(value)) };
}

/** The same response with a header replaced, or removed if `value` is undefined. */
export function withHeader(reply: Reply, name: string, value: string | undefined): Reply {
  const { [name]: _, ...rest } = reply.headers;
  return { ...reply, headers: value === undefined ? rest : { ...rest, [name]: value } };
}

/** The request's headers with the full token. */
export function asFull(call: Outgoing, context: Context): Partial<Outgoing> {
  return { headers: { ...call.headers, authorization: `Bearer ${context.tokens.full}` } };
}

/** The query with values replaced, or removed if undefined. */
export function withQuery(
  call: Call,
  changes: Readonly<Record<string, string | number | undefined>>,
): Partial<Outgoing> {
  const search = new URLSearchParams(call.search);
  for (const [name, value] of Object.entries(changes)) {
    search.delete(name);
    if (value !== undefined) search.set(name, String(value));
  }
  return { query: search.toString() };
}

/** A request with another JSON body. */
export function withBody(value: unknown): Partial<Outgoing> {
  return { body: Buffer.from(JSON.stringify(value)) };
}

/** An integer of the query, or its default. */
export function number(call: Call, name: string, fallback: number): number {
  const value = call.search.get(name);
  return value !== null && /^-?\d+$/.test(value) ? Number(value) : fallback;
}

/** Handles the selected requests; passes the others through. */
export function at(place: Place, handler: (call: Call, next: Next, context: Context) => Promise<Reply> | Reply): Make {
  return (context): Handler =>
    (call, next) =>
      hit(call, place) ? handler(call, next, context) : next();
}

/** Changes responses, whatever their status. */
export function replies(place: Place, change: (reply: Reply, call: Call) => Reply): Make {
  return at(place, async (call, next) => change(await next(), call));
}

/** Changes the JSON of successful responses. */
export function rewrite(place: Place, change: (value: unknown, call: Call) => unknown): Make {
  return replies(place, (reply, call) => {
    const value = parsed(reply);
    return succeeded(reply) && value !== undefined ? withJson(reply, change(value, call)) : reply;
  });
}

/** Changes successful responses. */
export function successes(place: Place, change: (reply: Reply, call: Call) => Reply): Make {
  return replies(place, (reply, call) => (succeeded(reply) ? change(reply, call) : reply));
}

/** Changes the responses with this status. */
export function whenStatus(place: Place, status: number, change: (reply: Reply, call: Call) => Reply): Make {
  return replies(place, (reply, call) => (reply.status === status ? change(reply, call) : reply));
}

/** Changes requests before they are passed on; undefined leaves a request as it is. */
export function requests(place: Place, change: (call: Call) => Partial<Outgoing> | undefined): Make {
  return at(place, (call, next) => next(change(call)));
}

/** The items of a list response, bare or in a wrapper that holds one array. */
export function items(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return asList(Object.values(asObject(value)).find((member) => Array.isArray(member)));
}

/** The same list response with other items, in the same wrapper. */
export function withItems(value: unknown, list: readonly unknown[]): unknown {
  if (Array.isArray(value)) return list;
  return Object.fromEntries(
    Object.entries(asObject(value)).map(([name, member]) => [name, Array.isArray(member) ? list : member]),
  );
}

/** The same list response with its items changed. */
export function relisted(reply: Reply, change: (list: readonly unknown[]) => readonly unknown[]): Reply {
  const value = parsed(reply);
  return withJson(reply, withItems(value, change(items(value))));
}

/** Changes the items of successful list responses. */
export function relist(place: Place, change: (list: readonly unknown[], call: Call) => readonly unknown[]): Make {
  return rewrite(place, (value, call) => withItems(value, change(items(value), call)));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value);
}

/** The id of the item that a path addresses: its first parameter, in lower case. */
export const itemId = (call: Call): string => (Object.values(call.route?.params ?? {})[0] ?? '').toLowerCase();

/** True if all ids of the path are well formed. */
export function idsFit(call: Call): boolean {
  return Object.entries(call.route?.params ?? {}).every(([name, value]) => name === 'type' || isUuid(value));
}

/** The member `id` in lower case; empty if there is none. */
export function idOf(value: unknown): string {
  const id = asObject(value)['id'];
  return typeof id === 'string' ? id.toLowerCase() : '';
}

/** The id in the response to a creation: the body itself, or its member `id`. */
export function createdId(reply: Reply): string {
  const value = parsed(reply);
  return idOf(typeof value === 'string' ? { id: value } : value);
}

/** Reads an item of the target. */
export async function itemAt(context: Context, path: string): Promise<JsonMap> {
  return asObject(parsed(await context.send('GET', path)));
}

/** Reads the items of a list of the target. */
export async function listAt(context: Context, path: string): Promise<readonly unknown[]> {
  return items(parsed(await context.send('GET', path)));
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
