import type { Judge } from './check.ts';
import { mayLack } from './lacking.ts';
import { isSuccess } from './media.ts';

/**
 * A valid request by a caller who may send it is served; a refusal is a broken promise. 5xx is `no-server-error`'s. Where the document
 * does not show the parameters (`x-parameters: unstated`), what a valid request must carry is not known: 400 says that something lacks.
 * Where it speaks of something that must exist before (`x-needs`), what comes without that is not shown.
 */
export const validRequestServed: Judge = ({ operation, exchange, expectation }) => {
  const status = exchange.response?.status;
  if (expectation !== 'success' || status === undefined || isSuccess(status) || status >= 500 || status < 400)
    return [];
  if (status === 400 && operation.extensions['x-parameters'] === 'unstated') return [];
  if (mayLack(operation, status)) return [];
  return [
    {
      cause: `refused with ${status}`,
      message: `${operation.id} refuses a valid request with ${status}`,
      expected: 'a documented success: the request is valid and the caller may send it',
      received: `status ${status}`,
    },
  ];
};
