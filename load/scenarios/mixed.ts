import { clueIngestion } from './ingestion.ts';
import { pagingRandom } from './paging-random.ts';
import type { Scenario, ScenarioRequest } from './scenario.ts';

const INGESTION = 'ingestion';
const READERS = 'readers';

function labelled(requests: readonly ScenarioRequest[], part: string): ScenarioRequest[] {
  return requests.map((request) => ({ ...request, part }));
}

/** Seven clues for every three pages. */
export const mixed: Scenario = {
  name: 'mixed',
  title: 'Posts clues while other requests page through policies.',
  effects: ['read', 'reversible', 'irreversible'],
  thresholds: ['p99<500ms', 'errors<0.1%', 'violations==0'],
  rate: 200,
  operations: [...(clueIngestion.operations ?? []), ...(pagingRandom.operations ?? [])],
  async setup(context) {
    const ingestion = await clueIngestion.setup(context);
    const readers = await pagingRandom.setup(context);
    return {
      ...readers,
      requests: [...labelled(ingestion.requests, INGESTION), ...labelled(readers.requests, READERS)],
      weights: { [INGESTION]: 7, [READERS]: 3 },
      ...(ingestion.fieldWidth === undefined ? {} : { fieldWidth: ingestion.fieldWidth }),
    };
  },
};
