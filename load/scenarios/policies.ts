import { eachConcurrently } from '../../spec/each-concurrently.ts';
import { seededRandom } from '../engines/schedule.ts';
import { AT_ONCE } from './remove-all.ts';
import type { Scenario, ScenarioContext, ScenarioRequest } from './scenario.ts';

export const CREATE = 'POST /accesscontrolpolicies';
export const REMOVE = 'DELETE /accesscontrolpolicies/{id}';
export const LIST = 'GET /accesscontrolpolicies';

interface Policies {
  readonly count: number;
  /** The beginning of their names. */
  readonly tag: string;
}

async function createPolicies({ api, items, signal }: ScenarioContext): Promise<Policies> {
  // Imported here to keep `--help`, which lists the scenarios, fast.
  const { freshPolicy } = await import('../../domain/builtin/policies.ts');
  let count = 0;
  const create = async (): Promise<void> => {
    await freshPolicy(api, 'load');
    count += 1;
  };
  await eachConcurrently(AT_ONCE, Array.from({ length: items }), create, signal);
  return { count, tag: api.tag };
}

/** A scenario that reads pages of the policy list. With several forms, each page is read through every one of them, as a part of its own. */
export function policyReads(
  head: Pick<Scenario, 'name' | 'title' | 'compares'>,
  queriesOf: (policies: Policies, random: () => number) => readonly string[],
  forms: readonly string[] = ['/api/v1'],
): Scenario {
  return {
    ...head,
    effects: ['read', 'reversible'],
    thresholds: ['p99<300ms', 'errors<0.1%', 'violations==0'],
    rate: 100,
    operations: [CREATE, LIST, REMOVE],
    uses: ['items'],
    async setup(context) {
      const queries = queriesOf(await createPolicies(context), seededRandom(context.seed));
      const read = (query: string, form: string): ScenarioRequest => ({
        operation: LIST,
        form,
        method: 'GET',
        path: `${form}/accesscontrolpolicies?${query}`,
        ...(forms.length > 1 && { part: form }),
      });
      const requests = queries.flatMap((query) => forms.map((form) => read(query, form)));
      return { requests, teardown: context.removeCreated };
    },
  };
}
