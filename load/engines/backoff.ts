const FIRST_MS = 10;
const HIGHEST_MS = 1000;

/** How long a connection waits before it is tried again: nothing after an answer, then doubling up to a second. */
export class Backoff {
  #next = 0;

  succeeded(): void {
    this.#next = 0;
  }

  /** The wait before this attempt, in milliseconds; the next one is longer. */
  wait(): number {
    const now = this.#next;
    this.#next = now === 0 ? FIRST_MS : Math.min(HIGHEST_MS, now * 2);
    return now;
  }
}
