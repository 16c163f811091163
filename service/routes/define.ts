import type { Call, Handler, Method, Operation, Permission } from '../http/call.ts';
import { param } from '../http/call.ts';
import { notFound } from '../http/refusal.ts';

export const BOTH_FORMS = ['/api', '/api/v1'] as const;

/** Operations with one permission in both forms; handlers by operation id. */
export function group(permission: Permission, handlers: Readonly<Record<string, Handler>>): Operation[] {
  return Object.entries(handlers).map(([id, handle]) => operation(id, BOTH_FORMS, permission, handle));
}

export function inForm(form: string, permission: Permission, handlers: Readonly<Record<string, Handler>>): Operation[] {
  return Object.entries(handlers).map(([id, handle]) => operation(id, [form], permission, handle));
}

const WITHOUT_BODY = /\/(activate|deactivate|execution-queue)$/;

function operation(id: string, forms: readonly string[], permission: Permission, handle: Handler): Operation {
  const [method, path = ''] = id.split(' ') as [Method, string?];
  const body = method !== 'GET' && method !== 'DELETE' && !WITHOUT_BODY.test(path);
  return { id, method, path, forms, permission, body, handle };
}

/** A uuid in the path, in lower case. */
export function idParam(call: Call, name: string): string {
  return param(call, name).toLowerCase();
}

/** The row with the id in the path. @throws Refusal 404 */
export function existing<T>(call: Call, rows: { get(id: string): T | undefined }, kind: string, name = 'id'): T {
  const id = idParam(call, name);
  const row = rows.get(id);
  if (row === undefined) throw notFound(kind, id);
  return row;
}

/** The user id of the caller; empty for routes without a token. */
export function userId(call: Call): string {
  return call.identity?.userId ?? '';
}
