import type { Exchange, Expectation, Form, Json, Operation } from '../spec/index.ts';
import { Skip } from './context.ts';
import type { ApiContext, RequestSpec } from './context.ts';
import { uniqueName } from './create.ts';
import { pathValues } from './path-values.ts';
import type { PathValues, Role } from './path-values.ts';

/** A request with a value for each parameter of its path. */
export interface ValidRequest extends RequestSpec {
  readonly path: PathValues;
}

/**
 * A valid request to any operation, with an item to work on. Default role: `shared` for a GET or HEAD, else `fresh`.
 * Throws {@link Skip} where the request cannot be made.
 */
export async function validRequest(
  t: ApiContext,
  operation: Operation,
  form?: Form,
  role: Role = isRead(operation) ? 'shared' : 'fresh',
): Promise<ValidRequest> {
  const path = await pathValues(t, operation, role);
  if (role === 'fresh') await t.knowledge.prepare(t, operation, path);
  return requestAt(t, operation, path, form);
}

/** A request to any operation that is valid if its path is. */
export async function requestAt(
  t: ApiContext,
  operation: Operation,
  path: PathValues,
  form?: Form,
): Promise<ValidRequest> {
  const query = await t.knowledge.query(t, operation);
  const json = operation.body === undefined ? undefined : await sampleFor(t, operation, path);
  return { path, query, ...(form === undefined ? {} : { form }), ...(json === undefined ? {} : { json }) };
}

/** A valid request that the caller makes invalid; it names an item that no other requests name. */
export function requestToRefuse(t: ApiContext, operation: Operation, form: Form): Promise<ValidRequest> {
  return validRequest(t, operation, form, isRead(operation) ? 'shared' : 'victim');
}

/** True for a method that reads: its requests may name an item that other tests use. */
export function isRead({ method }: Operation): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function sampleFor(t: ApiContext, operation: Operation, path: PathValues): Promise<Json> {
  const references = await t.knowledge.references(t, operation, path);
  const body = t.knowledge.sampleBody(operation, uniqueName(t), references);
  if (body === undefined) throw new Skip(`no sample body is known for ${operation.id}`);
  return body;
}

/** Sends a valid request, changed by `change`, and judges the response. */
export async function sendValid(
  t: ApiContext & ResponseJudge,
  operation: Operation,
  form: Form,
  change: (request: RequestSpec) => RequestSpec,
): Promise<Exchange> {
  const changed = (request: RequestSpec): RequestSpec => ({ valid: true, ...change(request) });
  const special = t.knowledge.sendValid?.(t, operation, form, changed);
  return special ?? t.send(operation, changed(await validRequest(t, operation, form)));
}

/** Judges a response that was sent quietly. */
export interface ResponseJudge {
  judge(operation: Operation, exchange: Exchange, expect?: Expectation): Exchange;
}
