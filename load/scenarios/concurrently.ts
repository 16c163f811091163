import type { Exchange } from '../../spec/index.ts';

/** Number of tasks at once. */
const TASKS = 8;

/** Runs a task for every item, eight at a time; starts none after the signal is aborted. */
export async function concurrently<Item>(
  items: Iterable<Item>,
  task: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (;;) {
      const next = signal?.aborted ? undefined : rest.next();
      if (next === undefined || next.done === true) return;
      await task(next.value);
    }
  };
  await Promise.all(Array.from({ length: TASKS }, work));
}

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
  await concurrently(items, task, silent.signal);
  return removed;
}
