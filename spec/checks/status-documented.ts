import type { Operation } from '../contract.ts';
import type { Judge } from './check.ts';
import { responseFor } from './media.ts';

/**
 * A success, and a redirect, has a status that the description gives for the operation. 204 without a body is how the framework answers a
 * null result; a refusal may carry any 4xx, since gateways and the framework add theirs; 5xx is `no-server-error`'s.
 */
export const statusDocumented: Judge = ({ operation, exchange }) => {
  const { response } = exchange;
  if (response === undefined) return [];
  const { status } = response;
  if (status >= 400 || exchange.request.method !== operation.method) return [];
  const nullResult = status === 204 && response.body.length === 0;
  if (responseFor(operation, status) !== undefined || nullResult) return [];
  return [
    {
      cause: `status ${status}`,
      message: `${operation.id} answers ${status}, which the document does not give`,
      expected: `one of the documented statuses: ${documented(operation)}`,
      received: `status ${status}`,
    },
  ];
};

function documented(operation: Operation): string {
  return operation.responses.map((each) => each.status).join(', ');
}
