import type { Judge } from './check.ts';

/** A 5xx is an unexpected error of the server, whatever was sent (api.md section 7). */
export const noServerError: Judge = ({ operation, exchange }) => {
  const status = exchange.response?.status ?? 0;
  if (status < 500) return [];
  return [{
    requirement: 'errors.no-server-error',
    cause: `status ${status}`,
    message: `${operation.id} fails with ${status}`,
    expected: 'a documented success or refusal, never a server error',
    received: `status ${status}`,
  }];
};
