import { isUuid } from '../../spec/uuid.ts';
import type { Call, Context, Outgoing } from './message.ts';

/** `METHOD /path`, the id of an operation. */
export type OperationId = `${string} /${string}`;

/** The requests that a handler changes. */
export interface Where {
  readonly op: OperationId | readonly OperationId[];
  /** `/api` or `/api/v1`; default: both. */
  readonly form?: string;
  readonly when?: (call: Call) => boolean;
}

export type CallPattern = OperationId | readonly OperationId[] | Where;

function whereOf(place: CallPattern): Where {
  return typeof place === 'object' && 'op' in place ? place : { op: place };
}

/** True if a request addresses one of the operations, in the selected form, and meets the condition. */
export function hit(call: Call, place: CallPattern): boolean {
  const where = whereOf(place);
  if (call.route === undefined) return false;
  const ids: readonly string[] = typeof where.op === 'string' ? [where.op] : where.op;
  if (!ids.includes(call.route.id)) return false;
  if (where.form !== undefined && where.form !== call.route.form) return false;
  return where.when?.(call) ?? true;
}

/** True if the request carries the token with every permission. */
export const served = (call: Call): boolean => call.role === 'full';

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

export function withBody(value: unknown): Partial<Outgoing> {
  return { body: Buffer.from(JSON.stringify(value)) };
}

/** An integer of the query, or its default. */
export function number(call: Call, name: string, fallback: number): number {
  const value = call.search.get(name);
  return value !== null && /^-?\d+$/.test(value) ? Number(value) : fallback;
}

/** The id of the item that a path addresses: its first parameter, in lower case. */
export const itemId = (call: Call): string => (Object.values(call.route?.params ?? {})[0] ?? '').toLowerCase();

/** True if all ids of the path are well formed. */
export function idsFit(call: Call): boolean {
  return Object.entries(call.route?.params ?? {}).every(([name, value]) => name === 'type' || isUuid(value));
}
