import type { Operation } from '../contract.ts';
import type { Judge } from './check.ts';

/**
 * A 5xx is an unexpected error of the server, whatever was sent (api.md section 7). Another description may give an operation
 * a 5xx of its own, such as 501, or nothing else.
 */
export const noServerError: Judge = ({ contract, operation, exchange }) => {
  const status = exchange.response?.status ?? 0;
  if (status < 500 || (!contract.builtIn && isGiven(operation, status))) return [];
  return [
    {
      requirement: 'errors.no-server-error',
      cause: `status ${status}`,
      message: `${operation.id} fails with ${status}`,
      expected: 'a documented success or refusal, never a server error',
      received: `status ${status}`,
    },
  ];
};

function isGiven({ responses }: Operation, status: number): boolean {
  const exact = responses.some((each) => each.status === String(status));
  return exact && (status > 500 || responses.every((each) => each.status.startsWith('5')));
}
