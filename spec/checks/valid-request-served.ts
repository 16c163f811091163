import type { Judge } from './check.ts';
import { isSuccess, responseFor } from './media.ts';
import type { Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import type { ExchangeViolation } from '../violation.ts';

/**
 * A valid request by an authorised caller is served. 5xx belongs to `no-server-error`. Where the document does not show the
 * parameters (`x-parameters: unstated`), 400 may mean that one is missing. Where something must exist first (`x-needs`), the
 * response without it is not documented. Where nothing promises that valid requests succeed, only what contradicts the description
 * is a violation.
 */
export const validRequestServed: Judge = ({ operation, exchange, expectation }) => {
  const status = exchange.response?.status;
  if (expectation === 'valid' && status !== undefined) return contradiction(operation, exchange, status);
  if (expectation !== 'success' || status === undefined || isSuccess(status) || status >= 500 || status < 400)
    return [];
  if (status === 400 && operation.extensions['x-parameters'] === 'unstated') return [];
  if (mayLack(operation, status)) return [];
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

/**
 * A refusal that contradicts the description: 401 to a token with every permission, and 404 or 405, where the description does not
 * declare it, to a request that names nothing.
 */
function contradiction(operation: Operation, exchange: Exchange, status: number): readonly ExchangeViolation[] {
  if (status === 401 && isForTokens(operation, exchange)) {
    const isStated = operation.permission !== 'unstated' && operation.permission !== 'none';
    return [
      {
        code: 'valid-request-served/token-refused',
        requirement: 'auth.bearer',
        grade: isStated ? 'documented' : 'inferred',
        message: `${operation.id} refuses a token with every permission with 401`,
        expected: `any status but 401: the token has every permission${isStated ? `, and the description says who may call: ${operation.permission}` : ''}`,
        received: 'status 401',
      },
    ];
  }
  const isAbsent = (status === 404 || status === 405) && responseFor(operation, status) === undefined;
  if (!isAbsent || !namesNothing(operation, exchange)) return [];
  return [
    {
      code: 'valid-request-served/not-there',
      subject: String(status),
      requirement: 'service.described-operations',
      message: `${operation.id} is described, but answers ${status}`,
      expected: 'any other status: the request names nothing that could be missing',
      received: `status ${status}`,
    },
  ];
}

/** True where 401 can only be about the token: a login that the description says nothing about may refuse what its body says. */
function isForTokens(operation: Operation, { identity, request }: Exchange): boolean {
  const isGiven = identity === 'full' && request.headers['authorization'] !== undefined;
  return isGiven && !(operation.authUndeclared === true && request.body !== undefined);
}

/** True for a request without a value in its path, its query or its body. */
function namesNothing(operation: Operation, { request }: Exchange): boolean {
  return !operation.path.includes('{') && !request.url.includes('?') && request.body === undefined;
}

/** Refusals for something that does not exist. */
const MISSING: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** True for a refusal of an operation that needs something which may not exist (`x-needs`), such as a mapping of posted data. */
export function mayLack(operation: Operation, status: number): boolean {
  return MISSING.has(status) && operation.extensions['x-needs'] !== undefined;
}
