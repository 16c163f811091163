import type { Exchange } from '../../spec/index.ts';
import type { Middleware } from '../request-spec.ts';

/** The limit decreases when responses take this many times their usual duration. */
const TOLERANCE = 1.5;

/** Differences in milliseconds that are caused by scheduling and garbage collection, not by the load of the target. */
const NOISE_MS = 20;

/** Weight of a response in the usual duration of its operation. */
const WEIGHT = 0.1;

/** Responses whose average is the first usual duration of an operation. */
const FIRST = 8;

const SHORTEST_WINDOW = 24;

const LOWEST_LIMIT = 2;

/** Weight of one request in the share of refused ones. */
const REFUSAL_WEIGHT = 1 / 16;

/** With a larger share the limit is halved: about two of the last sixteen. */
const MOST_REFUSED = 0.1;

/**
 * Limits the number of concurrent requests; the others wait, first come, first served. The limit follows the gradient of the
 * latency, as in Gradient2Limit of Netflix' concurrency-limits and in TCP Vegas: it grows by its square root while responses
 * take at most {@link TOLERANCE} times their usual duration, and decreases in proportion otherwise. Each operation is compared
 * with itself, since some are always slow. A single 429 or 503 lowers it by a tenth, several halve it.
 */
export class ConcurrencyLimit {
  readonly #highest: number;
  readonly #waiting: (() => void)[] = [];
  /** Usual duration of each operation, and of how many responses. */
  readonly #usual = new Map<string, { ms: number; of: number }>();
  #ratios: number[] = [];
  #limit: number;
  #active = 0;
  /** Exchanges that began before the last decrease do not count. */
  #outdated = 0;
  /** Share of recent requests that were refused or got no response. */
  #refusedShare = 0;
  #most = Number.POSITIVE_INFINITY;

  /** The limit starts at `first`; if that equals `highest`, it never changes. */
  constructor(first: number, highest: number) {
    this.#limit = first;
    this.#highest = highest;
    this.isFixed = first >= highest;
  }

  readonly isFixed: boolean;

  /** From now on, at most so many requests at once; `Infinity`: as many as the limit allows. */
  cap(most: number): void {
    this.#most = most;
  }

  get limit(): number {
    return Math.min(this.#most, Math.floor(this.#limit));
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  async enter(): Promise<void> {
    if (this.#active >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#active += 1;
  }

  leave(): void {
    this.#active -= 1;
    while (this.#active < this.limit) {
      const first = this.#waiting.shift();
      if (first === undefined) return;
      this.#active += 1;
      first();
    }
  }

  /** Records an exchange. The limit grows only if other requests were waiting (`isBusy`). */
  note({ operation, durationMs, attempts, response }: Exchange, isBusy: boolean): void {
    if (this.isFixed) return;
    this.#refusedShare *= 1 - REFUSAL_WEIGHT;
    if (this.#outdated > 0) this.#outdated -= 1;
    else if (attempts > 1 || response === undefined) this.#refuse();
    else this.#compare(operation, durationMs, isBusy);
  }

  #compare(operation: string, durationMs: number, isBusy: boolean): void {
    const usual = this.#usual.get(operation) ?? { ms: durationMs, of: 0 };
    this.#usual.set(operation, usual);
    usual.of += 1;
    // Longer durations may be caused by this limit, so they count only at first and if no request waits.
    if (usual.of <= FIRST || durationMs < usual.ms || !isBusy)
      usual.ms += (durationMs - usual.ms) * Math.max(WEIGHT, 1 / usual.of);
    if (!isBusy) return;
    this.#ratios.push((durationMs + NOISE_MS) / (usual.ms + NOISE_MS));
    if (this.#ratios.length < Math.max(SHORTEST_WINDOW, this.limit)) return;
    const ratio = this.#ratios.toSorted((a, b) => a - b)[this.#ratios.length >> 1] ?? 1;
    this.#ratios = [];
    if (ratio > TOLERANCE) this.#fall(Math.max(0.5, TOLERANCE / ratio));
    else this.#limit = Math.min(this.#highest, this.#limit + Math.sqrt(this.#limit));
  }

  #refuse(): void {
    this.#refusedShare += REFUSAL_WEIGHT;
    this.#fall(this.#refusedShare > MOST_REFUSED ? 0.5 : 0.9);
  }

  #fall(factor: number): void {
    this.#limit = Math.max(LOWEST_LIMIT, this.#limit * factor);
    this.#outdated = this.#active;
    this.#ratios = [];
  }
}

/** Limits how many requests are under way at once. */
export function withConcurrencyLimit(limit: ConcurrencyLimit): Middleware {
  return (next) => async (spec) => {
    await limit.enter();
    try {
      const exchange = await next(spec);
      limit.note(exchange, limit.hasWaiting);
      return exchange;
    } finally {
      limit.leave();
    }
  };
}
