import type { Job } from '../model/job.ts';
import type { Result } from '../model/run.ts';
import type { World } from '../world/world.ts';

const COST_PER_INPUT_TOKEN = 0.000_002_5;
const COST_PER_OUTPUT_TOKEN = 0.000_01;

/** AiJobViewModel. */
export function jobView(world: World, job: Job) {
  const { ordinal: _, ...fields } = job;
  return {
    ...fields,
    endpointName: 'Embedded model',
    resultsSummary: { items: summarise(world.jobs.history(job.id).results) },
    providerDefinitionId: null,
    costPerInputToken: COST_PER_INPUT_TOKEN,
    costPerOutputToken: COST_PER_OUTPUT_TOKEN,
    totalTokenCost: cost(world, job),
    costCurrency: 'USD',
  };
}

/** AiJobListItemViewModel. */
export function jobListItem(world: World, job: Job) {
  const { ordinal: _, prompt: __, endpointId: ___, dataSources: ____, ...fields } = job;
  const pendingItems = world.jobs.history(job.id).results.filter(({ state }) => state === 'Pending').length;
  return { ...fields, totalTokenCost: cost(world, job), costCurrency: 'USD', pendingItems };
}

function cost(world: World, job: Job): number {
  const { chats } = world.jobs.history(job.id);
  const input = chats.reduce((sum, chat) => sum + chat.inputTokens, 0);
  const output = chats.reduce((sum, chat) => sum + chat.outputTokens, 0);
  return input * COST_PER_INPUT_TOKEN + output * COST_PER_OUTPUT_TOKEN;
}

export function summarise(results: readonly Result[]): { type: string; status: string; count: number }[] {
  const counts = new Map<string, { type: string; status: string; count: number }>();
  for (const { type, state } of results) {
    const key = `${type} ${state}`;
    const item = counts.get(key) ?? { type, status: state, count: 0 };
    item.count++;
    counts.set(key, item);
  }
  return [...counts.values()];
}
