import type { Fault } from '../fault.ts';

export const statusFaults = {
  'undocumented-success-status': {
    title: 'Creating a policy answers 202',
    breaks: 'A policy that is created is answered with 200 (or 201).',
    area: 'contract',
    operations: ['POST /accesscontrolpolicies'],
    create: () => ({
      outer: async (call, next) => {
        const answer = await next(call);
        return call.operation?.id === 'POST /accesscontrolpolicies' && answer.status === 200 ? { ...answer, status: 202 } : answer;
      },
    }),
  },
} as const satisfies Record<string, Fault>;
