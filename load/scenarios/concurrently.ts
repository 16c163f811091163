const LANES = 8;

/** Runs a task for every item, a few at a time; starts none after the signal. */
export async function concurrently<Item>(
  items: Iterable<Item>,
  task: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (;;) {
      const next = signal?.aborted ? undefined : rest.next();
      if (next === undefined || next.done === true) return;
      await task(next.value);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
