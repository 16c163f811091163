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
