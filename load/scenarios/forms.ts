import { seededRandom } from '../engines/schedule.ts';
import { LIST, createPolicies } from './policies.ts';
import { randomPage } from './paging-random.ts';
import type { Scenario, ScenarioRequest } from './scenario.ts';

const VARIANTS = 250;

/** The same pages through `/api` and `/api/v1`, alternating; the results compare the two. */
export const forms: Scenario = {
  name: 'forms',
  title: 'Compares the same reads through both forms.',
  effects: ['read', 'reversible'],
  thresholds: ['p99<300ms', 'errors<0.1%', 'violations==0'],
  rate: 100,
  uses: ['items'],
  compares: true,
  async setup(context) {
    const { count, tag } = await createPolicies(context);
    const random = seededRandom(context.seed);
    const requests = Array.from({ length: VARIANTS }, () => randomPage(random, count, tag)).flatMap((query) =>
      ['/api', '/api/v1'].map((form): ScenarioRequest => ({
        operation: LIST,
        form,
        method: 'GET',
        path: `${form}/accesscontrolpolicies${query}`,
        part: form,
      })),
    );
    return { requests, teardown: context.removeCreated };
  },
};
