import type { Operation } from '../contract.ts';
import type { Judge } from './check.ts';

/**
 * A 5xx is an unexpected server error, whatever was sent (api.md section 7), unless the description declares a 5xx other than
 * 500 for the operation, or declares nothing else.
 */
export const noServerError: Judge = ({ operation, exchange }) => {
  const status = exchange.response?.status ?? 0;
  if (status < 500 || isDeclared(operation, status)) return [];
  return [
    {
      requirement: 'errors.no-server-error',
      code: 'no-server-error/status',
      subject: String(status),
      message: `${operation.id} fails with ${status}`,
      expected: 'a documented success or refusal, not a server error',
      received: `status ${status}`,
    },
  ];
};

function isDeclared({ responses }: Operation, status: number): boolean {
  const exact = responses.some((each) => each.status === String(status));
  return exact && (status > 500 || responses.every((each) => each.status.startsWith('5')));
}
