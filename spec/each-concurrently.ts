/** Calls `work` for each item in order, at most `most` at a time, none after the signal is aborted. Rejects with the first error. */
export async function eachConcurrently<Item>(
  most: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (;;) {
      const next = signal?.aborted ? undefined : rest.next();
      if (next === undefined || next.done === true) return;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: most }, lane));
}
