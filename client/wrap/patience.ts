import type { RetryOptions } from '../target/options.ts';

/**
 * How much waiting a run gives a target: an allowance to begin with, and half of the time that the run has taken. So a
 * target that asks for patience all the time makes a run about twice as long, and never endless.
 */
export class Patience {
  readonly #allowanceMs: number;
  readonly #begun = performance.now();
  #waitingUntil = 0;
  #waitedMs = 0;
  #refusedSince: number | undefined;

  constructor({ patienceMs }: Pick<RetryOptions, 'patienceMs'>) {
    this.#allowanceMs = patienceMs;
  }

  /** An answer came that was no 429. */
  answered(): void {
    this.#refusedSince = undefined;
  }

  /** True, and taken from the budget, where the wait is borne; waits at the same time count once. */
  bears(waitMs: number, refused: boolean): boolean {
    const now = performance.now();
    if (refused) this.#refusedSince ??= now;
    if (refused && now - (this.#refusedSince ?? now) >= this.#allowanceMs) return false;
    const more = Math.max(0, now + waitMs - Math.max(now, this.#waitingUntil));
    if (this.#waitedMs + more > this.#allowanceMs + (now - this.#begun) / 2) return false;
    this.#waitingUntil = Math.max(this.#waitingUntil, now + waitMs);
    this.#waitedMs += more;
    return true;
  }
}
