import { parsedJson } from '../../spec/index.ts';
import { idOf, items, withItems } from './json.ts';
import type { Reply } from './message.ts';

export function succeeded(reply: Reply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

export function parsed(reply: Reply): unknown {
  return parsedJson(reply.body);
}

export function json(value: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(value)),
  };
}

export function empty(status = 200): Reply {
  return { status, headers: {}, body: Buffer.alloc(0) };
}

export function text(content: string, type = 'text/plain; charset=utf-8', status = 200): Reply {
  return { status, headers: { 'content-type': type }, body: Buffer.from(content) };
}

/** An error as problem details (RFC 9457). */
export function problem(status: number): Reply {
  const body = { type: 'about:blank', title: `Error ${status}`, status, traceId: '00-1' };
  return { status, headers: { 'content-type': 'application/problem+json' }, body: Buffer.from(JSON.stringify(body)) };
}

export function withJson(reply: Reply, value: unknown): Reply {
  return { ...reply, body: Buffer.from(JSON.stringify(value)) };
}

/** The same response with a header replaced, or removed if `value` is undefined. */
export function withHeader(reply: Reply, name: string, value: string | undefined): Reply {
  const { [name]: _, ...rest } = reply.headers;
  return { ...reply, headers: value === undefined ? rest : { ...rest, [name]: value } };
}

/** The same list response with its items changed. */
export function relisted(reply: Reply, change: (list: readonly unknown[]) => readonly unknown[]): Reply {
  const value = parsed(reply);
  return withJson(reply, withItems(value, change(items(value))));
}

/** The id in the response to a creation: the body itself, or its member `id`. */
export function createdId(reply: Reply): string {
  const value = parsed(reply);
  return idOf(typeof value === 'string' ? { id: value } : value);
}
