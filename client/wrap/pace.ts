import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Wrap } from '../plan.ts';

const SLOWEST_RATE = 10;
const NO_LIMIT_FROM = 2_000;
const GROWTH_EVERY_MS = 1_000;
const GROWTH = 1.25;
const GROWTH_NEAR_THE_LIMIT = 1.1;
const FORGET_AFTER_MS = 30_000;

/**
 * The speed that all senders of a target share. A pause holds everybody; a target that keeps refusing is sent at
 * nine tenths of the rate that it was seen to bear, which grows again: slowly up to where it refused, then faster.
 */
export class Pace {
  readonly #stopped = new AbortController();
  readonly #highestRate: number;
  #rate: number;
  #resumeAt = 0;
  #nextSlot = 0;
  #epochAt = 0;
  #grownAt = 0;
  #served = 0;
  #refusedRate = 0;
  #pausedMs = 0;

  /** @param rate most requests a second, `Infinity` for no limit */
  constructor(rate: number) {
    this.#highestRate = rate;
    this.#rate = rate;
    setMaxListeners(0, this.#stopped.signal);
  }

  /** Milliseconds that everybody was held, in all. */
  get pausedMs(): number {
    return this.#pausedMs;
  }

  /** Requests a second at this moment. */
  get rate(): number {
    return this.#rate;
  }

  get stopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Lets everybody who waits go at once, now and from now on. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Waits, or not at all once the pace is stopped. */
  async wait(ms: number): Promise<void> {
    if (ms <= 0 || this.stopped) return;
    await delay(ms, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
  }

  /** Waits until it is the caller's turn to send. */
  async turn(): Promise<void> {
    for (let now = performance.now(); now < this.#resumeAt && !this.stopped; now = performance.now())
      await this.wait(this.#resumeAt - now);
    if (this.#rate === Infinity) return;
    const now = performance.now();
    const slot = Math.max(now, this.#nextSlot);
    this.#nextSlot = slot + 1_000 / this.#rate;
    await this.wait(slot - now);
    if (performance.now() < this.#resumeAt && !this.stopped) await this.turn();
  }

  /** An answer came that was no refusal. */
  served(): void {
    this.#served += 1;
    if (this.#rate >= this.#highestRate) return;
    const now = performance.now();
    if (now - this.#grownAt < GROWTH_EVERY_MS) return;
    this.#grownAt = now;
    const grown = this.#rate * (this.#rate < this.#refusedRate * 1.5 ? GROWTH_NEAR_THE_LIMIT : GROWTH);
    this.#rate = grown > NO_LIMIT_FROM ? this.#highestRate : Math.min(grown, this.#highestRate);
  }

  /** The target refused: holds everybody for `ms`, and slows down if it is not the first time. */
  pause(ms: number): void {
    const now = performance.now();
    const already = Math.max(now, this.#resumeAt);
    const isNew = now >= this.#resumeAt;
    this.#resumeAt = Math.max(already, now + ms);
    this.#pausedMs += this.#resumeAt - already;
    if (!isNew) return;
    if (this.#epochAt !== 0 && now - this.#epochAt < FORGET_AFTER_MS)
      this.#slowDown((this.#served * 1_000) / (now - this.#epochAt));
    this.#epochAt = now;
    this.#grownAt = this.#resumeAt;
    this.#served = 0;
  }

  #slowDown(seenRate: number): void {
    this.#refusedRate = seenRate;
    this.#rate = Math.min(this.#rate, this.#highestRate, Math.max(SLOWEST_RATE, seenRate * 0.9));
    this.#nextSlot = this.#resumeAt;
  }
}

/** Sends each plan when the pace says so. */
export function withPace(pace: Pace): Wrap {
  return (next) => async (plan) => {
    await pace.turn();
    return next(plan);
  };
}
