import { fieldFront } from '../engines/traffic.ts';
import { CREATE, LIST, REMOVE } from './policies.ts';
import type { Scenario, ScenarioRequest } from './scenario.ts';

const POOL = 200;

/** Creates policies, compares the acknowledged ones with the listed ones, and removes them. */
export const policyWrites: Scenario = {
  name: 'policy-writes',
  title: 'Creates policies, then compares the acknowledged ones with the listed ones.',
  effects: ['reversible'],
  thresholds: ['p99<500', 'errors<0.1%', 'violations==0'],
  rate: 50,
  uses: ['bodyBytes'],
  throughput: false,
  async setup(context) {
    const operation = context.operation(CREATE);
    const { bodies, fieldWidth } = context.pool('policy', POOL);
    const requests = bodies.map(({ bytes, fields }): ScenarioRequest => ({
      operation: operation.id,
      form: '/api/v1',
      method: 'POST',
      path: '/api/v1/accesscontrolpolicies',
      body: bytes,
      fields,
    }));
    const tag = fieldFront(context.runId, fieldWidth);
    const entry = await context.journal.intend({ create: CREATE, remove: REMOVE, idName: 'id', tag, list: LIST });
    return {
      requests,
      fieldWidth,
      audit: async (acknowledged) => (await import('./policy-audit.ts')).auditPolicies(context, acknowledged, tag),
      teardown: async () => {
        const { removeTagged } = await import('./policy-audit.ts');
        const { found, stayed } = await removeTagged(context, tag);
        context.journal.standsFor(entry, found);
        if (stayed === 0) await context.journal.removed(entry);
      },
    };
  },
};
