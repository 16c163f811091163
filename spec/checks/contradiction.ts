import type { Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import type { ExchangeViolation } from '../violation.ts';
import { responseFor } from './media.ts';

/** A refusal that contradicts the description: 401 for a full token, or an undeclared 404 or 405 where no resource is referred to. */
export function contradiction(operation: Operation, exchange: Exchange, status: number): readonly ExchangeViolation[] {
  if (status === 401 && isForTokens(operation, exchange)) {
    const isStated = operation.permission !== 'unstated' && operation.permission !== 'none';
    return [
      {
        code: 'valid-request-served/token-refused',
        requirement: 'auth.bearer',
        grade: isStated ? 'documented' : 'inferred',
        message: `${operation.id} answers 401 to a token with every permission`,
        expected: `any status but 401: the token has every permission${isStated ? `, and the description says who may call: ${operation.permission}` : ''}`,
        received: 'status 401',
      },
    ];
  }
  const isAbsent = (status === 404 || status === 405) && responseFor(operation, status) === undefined;
  if (!isAbsent || !refersToNothing(operation, exchange)) return [];
  return [
    {
      code: 'valid-request-served/not-there',
      subject: String(status),
      requirement: 'service.described-operations',
      // What there is one of, such as a cart, may not be there yet.
      ...(status === 404 && exchange.isUnrouted !== true ? { grade: 'inferred' } : {}),
      message: `${operation.id} is documented, but answers ${status}`,
      expected: 'any other status: the request refers to no resource that could be missing',
      received: `status ${status}`,
    },
  ];
}

/** True if 401 can only concern the token. An operation with undeclared authentication, such as a login, may refuse its body. */
function isForTokens(operation: Operation, { identity, request }: Exchange): boolean {
  const isGiven = identity === 'full' && request.headers['authorization'] !== undefined;
  return isGiven && !(operation.authUndeclared === true && request.body !== undefined);
}

/** True for a request without values in path, query and body, and without a header or cookie that the operation takes. */
function refersToNothing({ path, parameters }: Operation, { request }: Exchange): boolean {
  const isGiven = parameters.some(({ in: place, name }) =>
    place === 'cookie' ? 'cookie' in request.headers : place === 'header' && name.toLowerCase() in request.headers,
  );
  return !path.includes('{') && !request.url.includes('?') && request.body === undefined && !isGiven;
}
