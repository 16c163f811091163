import { posts } from './ingestion.ts';
import type { removeTagged } from './policy-audit.ts';
import { CREATE, LIST, REMOVE } from './policies.ts';
import type { Scenario } from './scenario.ts';

const POOL = 200;

/** Creates policies, compares the acknowledged ones with the listed ones, and removes them. */
export const policyWrites: Scenario = {
  name: 'policy-writes',
  title: 'Creates policies, then compares the acknowledged ones with the listed ones.',
  effects: ['reversible'],
  thresholds: ['p99<500ms', 'errors<0.1%', 'violations==0'],
  rate: 50,
  operations: [CREATE, LIST, REMOVE],
  uses: ['bodyBytes'],
  throughput: false,
  async setup(context) {
    const tag = `${context.api.tag}-writes`;
    const prepared = posts(context, context.pool('policy', POOL, tag), {
      operation: CREATE,
      form: '/api/v1',
      path: '/api/v1/accesscontrolpolicies',
    });
    const entry = await context.journal.intend({ create: CREATE, remove: REMOVE, idName: 'id', tag, list: LIST });
    let created = 0;
    const remove: typeof removeTagged = async (...of) => {
      const removed = await (await import('./policy-audit.ts')).removeTagged(...of);
      context.journal.standsFor(entry, (created += removed.found - removed.stayed) + removed.stayed);
      return removed;
    };
    return {
      ...prepared,
      audit: async (acknowledged) => (await import('./policy-audit.ts')).auditPolicies(context, acknowledged, tag),
      removeSent: async () => (await remove(context, tag)).found,
      teardown: async () => {
        const { stayed } = await remove(context, tag);
        if (stayed === 0) await context.journal.removed(entry);
      },
    };
  },
};
