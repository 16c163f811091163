import type { Operation, SchemaRef } from '../contract.ts';
import type { Json } from '../json.ts';
import type { Check, Subject } from './check.ts';
import { responseFor } from './media.ts';

/**
 * The status of a success or redirect is declared for the operation. The framework answers 204 without a body for a null
 * result; where a list is documented, that is a warning. A refusal may have any 4xx status, since gateways and the framework
 * add their own; 5xx belongs to `no-server-error`.
 */
export const statusDocumented: Check = (subject) => {
  const { operation, exchange } = subject;
  const { response } = exchange;
  if (response === undefined) return [];
  const { status } = response;
  if (status >= 400 || exchange.request.method !== operation.method) return [];
  const nullResult = status === 204 && response.body.length === 0;
  if (responseFor(operation, status) !== undefined || (nullResult && !answersList(subject))) return [];
  if (status >= 300 && hasUnusualPath(exchange.request.url, operation)) return [];
  return [
    {
      code: 'status-documented/status',
      subject: String(status),
      message: `${operation.id} answers ${status}, which is not documented`,
      expected: `a documented status: ${documented(operation)}`,
      received: `status ${status}`,
      ...(nullResult ? { grade: 'inferred' as const } : {}),
    },
  ];
};

/** True where a success is documented to be a list, which may be empty, and not null; a stream may have nothing to send. */
function answersList({ contract, operation }: Subject): boolean {
  if (operation.extensions['x-stream'] !== undefined) return false;
  const content = responseFor(operation, 200)?.content ?? [];
  const isValid = (schema: SchemaRef, value: Json): boolean =>
    contract.validate(schema, value, 'response').length === 0;
  return content.some(({ schema }) => schema !== undefined && isValid(schema, []) && !isValid(schema, {}));
}

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
