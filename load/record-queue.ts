/** Turns pushed items into an async iterable; items pushed before iteration begins are kept. */
export class RecordQueue<Item> implements AsyncIterable<Item> {
  #items: Item[] = [];
  #ended = false;
  #failure: unknown;
  #wake: () => void = () => {};

  push(item: Item): void {
    this.#items.push(item);
    this.#wake();
  }

  end(failure?: unknown): void {
    this.#ended = true;
    this.#failure = failure;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Item> {
    for (;;) {
      const items = this.#items;
      this.#items = [];
      yield* items;
      if (this.#items.length > 0) continue;
      if (this.#ended) break;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Runs a producer and yields what it pushes. An error of the producer is thrown to the consumer. */
export function produced<Item>(produce: (push: (item: Item) => void) => Promise<void>): AsyncIterable<Item> {
  const queue = new RecordQueue<Item>();
  produce((item) => queue.push(item)).then(
    () => queue.end(),
    (error: unknown) => queue.end(error ?? new Error('unknown')),
  );
  return queue;
}
