import { meaningOf } from '../../spec/index.ts';
import type { Exchange, Operation, Violation } from '../../spec/index.ts';

/** Status of a response; 0 without a response. */
export function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

/** True for a status that the checks of single exchanges judge: none at all, and server errors. */
export function isJudgedElsewhere(status: number): boolean {
  return status === 0 || status >= 500;
}

/** A violation by the status of one response; `request` completes "answers … with status 404". */
export function wrongStatus(
  operation: Operation,
  exchange: Exchange,
  { request, ...rest }: Pick<Violation, 'code' | 'subject' | 'requirement' | 'expected'> & { readonly request: string },
): Violation {
  const status = statusOf(exchange);
  return {
    ...rest,
    operation,
    message: `${operation.id} answers ${request} with status ${status}`,
    received: `status ${status}`,
    exchanges: [exchange],
  };
}

/** A violation whose message is the meaning of its code. */
export function violationOf(
  operation: Operation,
  rest: Pick<Violation, 'code' | 'subject' | 'requirement' | 'expected' | 'received' | 'exchanges'>,
): Violation {
  return { ...rest, operation, message: `${operation.id}: ${meaningOf(rest.code)}` };
}
