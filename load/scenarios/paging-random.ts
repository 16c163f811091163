import { seededRandom } from '../engines/schedule.ts';
import { LIST, createPolicies } from './policies.ts';
import type { Scenario, ScenarioRequest } from './scenario.ts';

const VARIANTS = 500;
const SIZES = [1, 5, 10, 20, 50, 100] as const;

/** A seeded random page of the policy list, with or without filters and order. */
export function randomPage(random: () => number, count: number, tag: string): string {
  const take = SIZES[Math.floor(random() * SIZES.length)] ?? 20;
  const page = Math.floor(random() * Math.ceil(Math.max(1, count) / take));
  const parts = [`page=${page}`, `take=${take}`];
  if (random() < 0.5) parts.push(`searchName=${tag}`);
  if (random() < 0.3) parts.push(`filterActive=${random() < 0.5}`);
  if (random() < 0.3) parts.push('orderBy=name', `orderAsc=${random() < 0.5}`);
  return `?${parts.join('&')}`;
}

export const pagingRandom: Scenario = {
  name: 'paging-random',
  title: 'Reads random pages of a list, of random size, with and without filters and order.',
  effects: ['read', 'reversible'],
  thresholds: ['p99<300ms', 'errors<0.1%', 'violations==0'],
  rate: 100,
  uses: ['items'],
  async setup(context) {
    const { count, tag } = await createPolicies(context);
    const random = seededRandom(context.seed);
    const requests = Array.from({ length: VARIANTS }, (): ScenarioRequest => ({
      operation: LIST,
      form: '/api/v1',
      method: 'GET',
      path: `/api/v1/accesscontrolpolicies${randomPage(random, count, tag)}`,
    }));
    return { requests, teardown: context.removeCreated };
  },
};
