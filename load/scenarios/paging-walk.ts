import { LIST, createPolicies } from './policies.ts';
import type { Scenario, ScenarioRequest } from './scenario.ts';

const TAKE = 20;

/** All pages of the policy list, from the first to the last, repeatedly. */
export const pagingWalk: Scenario = {
  name: 'paging-walk',
  title: 'Reads all pages of a list in order.',
  effects: ['read', 'reversible'],
  thresholds: ['p99<300ms', 'errors<0.1%', 'violations==0'],
  rate: 100,
  uses: ['items'],
  async setup(context) {
    const { count, tag } = await createPolicies(context);
    const pages = Math.max(1, Math.ceil(count / TAKE));
    const requests = Array.from({ length: pages }, (_, page): ScenarioRequest => ({
      operation: LIST,
      form: '/api/v1',
      method: 'GET',
      path: `/api/v1/accesscontrolpolicies?page=${page}&take=${TAKE}&searchName=${tag}`,
    }));
    return { requests, teardown: context.removeCreated };
  },
};
