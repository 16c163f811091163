/** What decides when a test may run. */
export interface Schedulable {
  /** The first segment of the operation's path, which the tests of a resource have in common; empty without an operation. */
  readonly resource: string;
  /** Set where no other test of the resource may run at the same time. */
  readonly isolated: boolean;
}

/**
 * Lets the tests of a group run in their order, `limit` at a time. Isolated tests come last, one after another
 * for each resource: each waits for many responses in turn, so that they run beside the tests of other resources.
 */
export class TestScheduler<T extends Schedulable> {
  /** How many more tests that are not isolated may run. */
  #free: number;
  /** Tests that are not isolated and have not ended. */
  readonly #others: Set<T>;
  /** Resources of which an isolated test runs. */
  readonly #taken = new Set<string>();
  readonly #waiting = new Map<T, () => void>();

  constructor(tests: readonly T[], limit: number) {
    this.#free = limit;
    this.#others = new Set(tests.filter((each) => !each.isolated));
  }

  async run<R>(test: T, body: () => Promise<R>): Promise<R> {
    await new Promise<void>((resolve) => {
      this.#waiting.set(test, resolve);
      this.#startNext();
    });
    try {
      return await body();
    } finally {
      if (test.isolated) this.#taken.delete(test.resource);
      else this.#free += 1;
      this.#others.delete(test);
      this.#startNext();
    }
  }

  #startNext(): void {
    for (const [test, start] of this.#waiting) {
      if (!this.#mayStart(test)) continue;
      this.#waiting.delete(test);
      if (test.isolated) this.#taken.add(test.resource);
      else this.#free -= 1;
      start();
    }
  }

  #mayStart({ isolated, resource }: T): boolean {
    if (!isolated) return this.#free > 0;
    return !this.#taken.has(resource) && ![...this.#others].some((each) => each.resource === resource);
  }
}
