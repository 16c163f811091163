/** `setTimeout` can be a millisecond late; for the last {@link SPIN_MS} the event loop is polled instead. */
const SPIN_MS = 2;

interface Waiting {
  readonly at: number;
  readonly resolve: () => void;
}

/** Resolves within some tens of microseconds of the given time; keeps a core busy for the last {@link SPIN_MS}. */
export class PreciseTimer {
  /** Sorted, the next one last. */
  readonly #waiting: Waiting[] = [];
  #timeout: NodeJS.Timeout | undefined;
  #spinning = false;

  /** Resolves at a time of `performance.now()`. */
  until(at: number): Promise<void> {
    return new Promise((resolve) => {
      this.#insert({ at, resolve });
      this.#arm();
    });
  }

  /** Resolves all. */
  stop(): void {
    clearTimeout(this.#timeout);
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #insert(sleeper: Waiting): void {
    let [low, high] = [0, this.#waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#waiting[middle]?.at ?? 0) > sleeper.at) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, sleeper);
  }

  #arm(): void {
    if (this.#spinning) return;
    const next = this.#waiting.at(-1);
    if (next === undefined) return;
    clearTimeout(this.#timeout);
    const left = next.at - performance.now();
    if (left > SPIN_MS) this.#timeout = setTimeout(() => this.#arm(), left - SPIN_MS);
    else this.#spin();
  }

  #spin(): void {
    this.#spinning = true;
    setImmediate(() => {
      this.#spinning = false;
      const now = performance.now();
      while ((this.#waiting.at(-1)?.at ?? Infinity) <= now) this.#waiting.pop()?.resolve();
      this.#arm();
    });
  }
}
