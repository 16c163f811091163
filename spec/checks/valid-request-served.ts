import type { Check, Subject } from './check.ts';
import { contradiction } from './contradiction.ts';
import { contentFor, isJsonType, isSuccess, parsesAsJson } from './media.ts';
import type { Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';

/** Bodies up to this many bytes must not be refused with 413: the limit is not documented, but ordinary requests are served. */
const SERVED_LENGTH = 4096;

/**
 * A valid request by an authorised caller is served. 5xx belongs to `no-server-error`. Exceptions: 400 if the document does not
 * show the parameters (`x-parameters: unstated`), since one may be missing; a refusal if something must exist first
 * (`x-needs`); 403 if the permission is not shown; 409 if the state of the resource is not documented (`x-conflicts`); any refusal of
 * a body that violates its schema, such as one with values that the deployment has returned. If the description does not guarantee
 * that valid requests succeed, only a contradiction of the description is a violation.
 */
export const validRequestServed: Check = (subject) => {
  const { operation, exchange, expectation } = subject;
  const status = exchange.response?.status;
  if (expectation === 'valid' && status !== undefined) return contradiction(operation, exchange, status);
  if (expectation !== 'success' || status === undefined || isSuccess(status) || status >= 500 || status < 400)
    return [];
  if (status === 400 && operation.extensions['x-parameters'] === 'unstated') return [];
  if (mayLack(operation, status)) return [];
  if (status === 409 && operation.extensions['x-conflicts'] !== undefined) return [];
  if (isTooLarge(exchange)) return [];
  if (violatesSchema(subject)) return [];
  return [
    {
      code: 'valid-request-served/refused',
      subject: String(status),
      message: `${operation.id} refuses a valid request with ${status}`,
      expected: 'a documented success: the request is valid and the caller is authorised',
      received: `status ${status}`,
    },
  ];
};

/** True for a body that is refused as too large, and may be: how large one may be is not documented. */
export function isTooLarge({ request, response }: Exchange): boolean {
  return response?.status === 413 && (request.body?.length ?? 0) > SERVED_LENGTH;
}

/** True where the JSON body of a request violates its schema, also where that is only published. */
function violatesSchema({ contract, operation, exchange: { request } }: Subject): boolean {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  const schema = contentFor(operation.body?.content ?? [], type)?.schema;
  if (schema === undefined || !isJsonType(type) || !parsesAsJson(request.body)) return false;
  const value: unknown = JSON.parse(Buffer.from(request.body ?? []).toString());
  return contract.validate(schema, value, 'request').length > 0;
}

/** Statuses of refusals because something does not exist. */
const MISSING: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** True for a refusal of an operation that needs what may not exist (`x-needs`), or a permission which the document does not show. */
export function mayLack(operation: Operation, status: number): boolean {
  return (MISSING.has(status) && operation.extensions['x-needs'] !== undefined) || mayLackPermission(operation, status);
}

/** True for 403 where the document does not show the permission: no token is known to have it. */
export function mayLackPermission({ permission }: Operation, status: number): boolean {
  return status === 403 && permission === 'unstated';
}
