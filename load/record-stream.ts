/** Yields what a producer pushes, in order. An error of the producer is thrown to the consumer after that. */
export async function* recordStream<Item>(
  produce: (push: (item: Item) => void) => Promise<void>,
): AsyncGenerator<Item> {
  let items: Item[] = [];
  let isOver = false;
  let wake: () => void = () => {};
  const producing = produce((item) => {
    items.push(item);
    wake();
  }).finally(() => {
    isOver = true;
    wake();
  });
  // Awaited at the end: until then, a failure is no unhandled rejection.
  producing.catch(() => undefined);
  for (;;) {
    const taken = items;
    items = [];
    yield* taken;
    if (items.length > 0) continue;
    if (isOver) break;
    await new Promise<void>((resolve) => (wake = resolve));
  }
  await producing;
}
