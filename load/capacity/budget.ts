import type { CommonOptions } from '../options.ts';
import type { ReadyScenario } from '../prepare.ts';

/** The time of a search, including the removal of what was created: what is not removed between the steps, after it. */
export class Budget {
  readonly #endsAt: number;
  /** Time per removed item, measured between the steps. */
  #msPerItem = 0;
  #removingMs = 0;

  /**
   * @param startedAt of the set-up, by `performance.now`. Removing what it created takes about as long again.
   */
  constructor(budgetMs: number, startedAt: number, { prepared }: ReadyScenario) {
    const setupMs = prepared.teardown ? performance.now() - startedAt : 0;
    this.#endsAt = startedAt + budgetMs - setupMs;
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  /** Milliseconds that were spent on removals so far. */
  get removingMs(): number {
    return this.#removingMs;
  }

  /** The duration of a step, with the removal of what it creates. */
  withRemoval(durationMs: number, rate: number): number {
    return durationMs * (1 + (rate * this.#msPerItem) / 1000);
  }

  /** Removes what the requests created, so that it neither slows the target nor has to be removed after the search. */
  async remove({ prepared }: ReadyScenario, { onRemoving }: Pick<CommonOptions, 'onRemoving'>): Promise<void> {
    if (prepared.removeSent === undefined) return;
    onRemoving?.();
    const from = performance.now();
    const removed = await prepared.removeSent();
    const tookMs = performance.now() - from;
    this.#removingMs += tookMs;
    if (removed > 0) this.#msPerItem = tookMs / removed;
  }
}
