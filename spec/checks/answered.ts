import type { Judge } from './check.ts';

/** Failures that are the target's doing once a connection stands; the others are errors of the run, not findings. */
const BROKEN = new Set(['reset', 'protocol', 'timeout']);

/** A request that reached the service is answered in well-formed HTTP. */
export const answered: Judge = ({ operation, exchange }) => {
  const { failure, response } = exchange;
  if (response?.endless === true) {
    return [
      {
        requirement: 'errors.no-server-error',
        cause: 'no end to the answer',
        message: `${operation.id} answers with more than anybody can read`,
        expected: 'an answer that ends',
        received: `status ${response.status}, and many times ${response.body.byteLength} bytes without an end`,
      },
    ];
  }
  if (failure === undefined || !BROKEN.has(failure.kind)) return [];
  return [
    {
      requirement: 'errors.no-server-error',
      cause: `no answer: ${failure.kind}`,
      message: `${operation.id} does not answer (${failure.kind})`,
      expected: 'an answer in well-formed HTTP',
      received: failure.message,
    },
  ];
};
