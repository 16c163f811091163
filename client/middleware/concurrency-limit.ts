import type { Exchange } from '../../spec/index.ts';
import type { Middleware } from '../request-spec.ts';

/** Exchanges that one limit is judged by. */
const WINDOW = 200;

/** A target whose median is below this gains nothing from more concurrency. */
const SLOW_MS = 40;

const GROWTH = 1.5;

/** A median that grows by more than this factor with the concurrency means that the target is loaded, not far away. */
const SLOWER = 1.2;

/**
 * How many requests are under way at once; the others wait, first come, first served. The limit grows step by step
 * where a target is slow because it is far away: as long as more concurrency makes it no slower and nothing has to be repeated.
 */
export class ConcurrencyLimit {
  readonly #highest: number;
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #active = 0;
  #previous: { readonly limit: number; readonly medianMs: number } | undefined;
  #settled: boolean;
  #durations: number[] = [];

  constructor(limit: number, highest = limit) {
    this.#limit = limit;
    this.#highest = highest;
    this.#settled = limit >= highest;
  }

  get limit(): number {
    return this.#limit;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  async enter(): Promise<void> {
    if (this.#active >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#active += 1;
  }

  leave(): void {
    this.#active -= 1;
    while (this.#active < this.#limit) {
      const first = this.#waiting.shift();
      if (first === undefined) return;
      this.#active += 1;
      first();
    }
  }

  /** Takes note of an exchange that ended while others were waiting. */
  note({ durationMs, attempts, response }: Exchange): void {
    if (this.#settled) return;
    if (attempts > 1 || response === undefined) this.#durations = [];
    else this.#durations.push(durationMs);
    if (this.#durations.length < WINDOW) return;
    const medianMs = this.#durations.toSorted((a, b) => a - b)[WINDOW >> 1] ?? 0;
    this.#durations = [];
    this.#adjust(medianMs);
  }

  #adjust(medianMs: number): void {
    const previous = this.#previous;
    if (previous !== undefined && medianMs > previous.medianMs * SLOWER) {
      this.#limit = previous.limit;
      this.#settled = true;
    } else if (medianMs >= SLOW_MS) {
      this.#previous = { limit: this.#limit, medianMs };
      this.#limit = Math.min(this.#highest, Math.ceil(this.#limit * GROWTH));
      this.#settled = this.#limit === previous?.limit;
    }
  }
}

/** Limits how many requests are under way at once. */
export function withConcurrencyLimit(limit: ConcurrencyLimit): Middleware {
  return (next) => async (spec) => {
    await limit.enter();
    try {
      const exchange = await next(spec);
      if (limit.hasWaiting) limit.note(exchange);
      return exchange;
    } finally {
      limit.leave();
    }
  };
}
