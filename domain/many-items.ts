import { eachConcurrently } from '../spec/each-concurrently.ts';
import { ifSkipped } from './context.ts';
import type { ApiContext } from './context.ts';
import { create } from './create.ts';
import type { CreatedItem } from './create.ts';
import type { Resource } from './resources.ts';

/** More than the usual limits of a list: 20, 25, 50 and 100. */
export const MANY = 101;

/** Calls at the same time. */
const LANES = 16;

/** {@link MANY} items, or as many as are accepted: limits are not stated, so that a refusal is no violation. */
export async function createMany(t: ApiContext, resource: Resource): Promise<readonly CreatedItem[]> {
  const items: CreatedItem[] = [];
  const fill = async (): Promise<void> => {
    while (items.length < MANY) {
      const item = await create(t, resource, { suffix: 'many', expect: 'any' }).catch(ifSkipped);
      if (item === undefined) return;
      items.push(item);
    }
  };
  await Promise.all(Array.from({ length: LANES }, fill));
  return items;
}

/** Removes items early that would make lists long for the tests that follow; what is left is removed at the end of the run. */
export async function removeMany(t: ApiContext, items: readonly CreatedItem[]): Promise<void> {
  const remove = ({ path, resource }: CreatedItem): Promise<unknown> =>
    t.sendQuietly(resource.remove, { path, label: 'delete' });
  await eachConcurrently(LANES, items, remove);
}
