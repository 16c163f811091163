import type { Check } from './check.ts';

/** Failures that the target caused on an open connection. All others are errors of the run, not findings. */
const BROKEN = new Set(['reset', 'protocol', 'timeout']);

/** A request that reached the service gets a complete, well-formed HTTP response. A stream (`x-stream`) may stay open once it has begun. */
export const answered: Check = ({ operation, exchange }) => {
  const { failure, response } = exchange;
  if (response?.endless === true) {
    return [
      {
        requirement: 'errors.no-server-error',
        code: 'answered/endless',
        message: `${operation.id} answers with a body that does not end`,
        expected: 'a response that ends',
        received: `status ${response.status} and more than ${response.body.byteLength} bytes`,
      },
    ];
  }
  if (failure === undefined || !BROKEN.has(failure.kind)) return [];
  const isOpenStream = operation.extensions['x-stream'] !== undefined && failure.stage === 'receiving';
  if (isOpenStream && failure.kind === 'timeout') return [];
  return [
    {
      requirement: 'errors.no-server-error',
      code: 'answered/no-response',
      subject: failure.kind,
      message: `${operation.id} does not respond: ${failure.kind}`,
      expected: 'a complete, well-formed HTTP response',
      received: failure.message,
    },
  ];
};
