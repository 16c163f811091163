import type { Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import type { ExchangeViolation } from '../violation.ts';
import { responseFor } from './media.ts';

/**
 * A refusal that contradicts the description: 401 to a token with every permission, and 404 or 405, where the description does not
 * declare it, to a request that names nothing.
 */
export function contradiction(operation: Operation, exchange: Exchange, status: number): readonly ExchangeViolation[] {
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
      message: `${operation.id} is documented, but answers ${status}`,
      expected: 'any other status: the request refers to no resource that could be missing',
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
