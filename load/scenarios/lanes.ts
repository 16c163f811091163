const LANES = 8;

/** Runs a task for every item, a few at a time; takes no new item after the signal. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  task: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = rest.next(); !next.done && !signal?.aborted; next = rest.next()) await task(next.value);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}
