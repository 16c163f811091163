import type { Operation } from '../contract.ts';
import type { Check } from './check.ts';
import { responseFor } from './media.ts';

/**
 * The status of a success or redirect is declared for the operation. The framework answers 204 without a body for a null
 * result. A refusal may have any 4xx status, since gateways and the framework add their own; 5xx belongs
 * to `no-server-error`.
 */
export const statusDocumented: Check = ({ operation, exchange }) => {
  const { response } = exchange;
  if (response === undefined) return [];
  const { status } = response;
  if (status >= 400 || exchange.request.method !== operation.method) return [];
  const nullResult = status === 204 && response.body.length === 0;
  if (responseFor(operation, status) !== undefined || nullResult) return [];
  if (status >= 300 && hasUnusualPath(exchange.request.url, operation)) return [];
  return [
    {
      code: 'status-documented/status',
      subject: String(status),
      message: `${operation.id} answers ${status}, which is not documented`,
      expected: `a documented status: ${documented(operation)}`,
      received: `status ${status}`,
    },
  ];
};

/** Escaped slashes, empty segments and segments of dots. */
const UNUSUAL = /%2f|%5c|\/\/|\/(?:\.|%2e){1,2}(?:\/|$)/iu;

/** True for an unusual path, or one with another slash at its end: frameworks redirect to the path that they take it for. */
function hasUnusualPath(url: string, { path }: Operation): boolean {
  const [sent = ''] = url.replace(/^\w+:\/\//u, '').split('?', 1);
  return UNUSUAL.test(sent) || (sent.endsWith('/') && !path.endsWith('/'));
}

function documented(operation: Operation): string {
  return operation.responses.map((each) => each.status).join(', ');
}
