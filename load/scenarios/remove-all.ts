import { eachConcurrently } from '../../spec/each-concurrently.ts';
import type { Exchange } from '../../spec/index.ts';

/** Requests at the same time that create or remove items. */
export const AT_ONCE = 8;

/** Removes items, until the target does not respond. Returns how many there are no longer. */
export async function removeAll<Item>(
  items: Iterable<Item>,
  remove: (item: Item) => Promise<Exchange>,
): Promise<number> {
  const silent = new AbortController();
  let removed = 0;
  const task = async (item: Item): Promise<void> => {
    const { response } = await remove(item);
    if (response === undefined) silent.abort();
    else if (response.status < 300 || response.status === 404) removed += 1;
  };
  await eachConcurrently(AT_ONCE, items, task, silent.signal);
  return removed;
}
