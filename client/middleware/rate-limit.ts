import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware } from '../request-spec.ts';
import type { Statistics, WaitReason } from './statistics.ts';

/** Requests per second. */
const SLOWEST_RATE = 10;
const NO_LIMIT_FROM = 2_000;

const GROWTH_EVERY_MS = 1_000;
const GROWTH = 1.25;
const GROWTH_NEAR_THE_LIMIT = 1.1;
const FORGET_AFTER_MS = 30_000;

/** Weight of one response in the share of refused ones. */
const WEIGHT = 1 / 16;

/** A larger share of 429s applies to all requests: about three of the last sixteen. */
const MOST_REFUSED = 0.15;

/** Recent accepted responses by which a limit of single operations is told from one of the whole target. */
const RECENT = 64;
/** Both forms of two operations. */
const MOST_OPERATIONS_WITH_OWN_LIMIT = 4;

/**
 * A rate shared by all requests of a target or of one operation. A single 429 delays its own request, several pause all of them. If
 * 429s continue, the rate drops to nine tenths of what the target accepted, and grows again: slowly up to that rate, faster beyond it.
 */
export class RateLimiter {
  readonly #stopped = new AbortController();
  readonly #highestRate: number;
  #rate: number;
  #resumeAt = 0;
  #pausedBy: WaitReason = 'status-429';
  #nextSlot = 0;
  #epochAt = 0;
  #grownAt = 0;
  #accepted = 0;
  #refusedRate = 0;
  #refusedShare = 0;

  /** @param rate maximum of requests per second, `Infinity` for no limit. */
  constructor(rate: number) {
    this.#highestRate = rate;
    this.#rate = rate;
    setMaxListeners(0, this.#stopped.signal);
  }

  get stopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Ends all waits; later requests do not wait either. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Waits, or not at all once the limiter is stopped. */
  async wait(ms: number): Promise<void> {
    if (ms <= 0 || this.stopped) return;
    // Timers count whole milliseconds and may fire up to one early.
    await delay(Math.ceil(ms) + 1, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
  }

  /** Waits until the caller may send. */
  async turn(onWait: (reason: WaitReason, ms: number) => void): Promise<void> {
    const waitAndCount = async (reason: WaitReason, ms: number): Promise<void> => {
      if (ms <= 0 || this.stopped) return;
      onWait(reason, ms);
      await this.wait(ms);
    };
    do {
      while (this.#isPaused()) await waitAndCount(this.#pausedBy, this.#resumeAt - performance.now());
      if (this.#rate === Infinity) return;
      const now = performance.now();
      const slot = Math.max(now, this.#nextSlot);
      this.#nextSlot = slot + 1_000 / this.#rate;
      // The limit that the user set is not counted: the target did not cause it.
      if (this.#rate < this.#highestRate) await waitAndCount('rate-limit', slot - now);
      else await this.wait(slot - now);
    } while (this.#isPaused());
  }

  #isPaused(): boolean {
    return performance.now() < this.#resumeAt && !this.stopped;
  }

  /** Records a response other than 429. */
  accepted(): void {
    this.#accepted += 1;
    this.#refusedShare *= 1 - WEIGHT;
    if (this.#rate >= this.#highestRate) return;
    const now = performance.now();
    if (now - this.#grownAt < GROWTH_EVERY_MS) return;
    this.#grownAt = now;
    const grown = this.#rate * (this.#rate < this.#refusedRate * 1.5 ? GROWTH_NEAR_THE_LIMIT : GROWTH);
    this.#rate = grown > NO_LIMIT_FROM ? this.#highestRate : Math.min(grown, this.#highestRate);
  }

  /** Records a refusal that asks for `ms`: several pause all requests and lower the rate. Returns how long this request must wait. */
  refused(ms: number, reason: WaitReason = 'status-429'): number {
    this.#refusedShare += (1 - this.#refusedShare) * WEIGHT;
    if (this.#refusedShare < MOST_REFUSED) return ms;
    this.#pausedBy = reason;
    this.#pause(ms);
    return 0;
  }

  #pause(ms: number): void {
    const now = performance.now();
    const isNew = now >= this.#resumeAt;
    this.#resumeAt = Math.max(this.#resumeAt, now + ms);
    // Unlike a limit of the rate, an outage lets nothing through: it says nothing about the rate.
    if (!isNew || (this.#pausedBy !== 'status-429' && this.#epochAt !== 0 && this.#accepted === 0)) return;
    if (this.#epochAt !== 0 && now - this.#epochAt < FORGET_AFTER_MS)
      this.#slowDown((this.#accepted * 1_000) / (now - this.#epochAt));
    this.#epochAt = now;
    this.#grownAt = this.#resumeAt;
    this.#accepted = 0;
  }

  #slowDown(seenRate: number): void {
    this.#refusedRate = seenRate;
    this.#rate = Math.min(this.#rate, this.#highestRate, Math.max(SLOWEST_RATE, seenRate * 0.9));
    this.#nextSlot = this.#resumeAt;
  }
}

/**
 * The limiter of the whole target, and one for each operation that a gateway limits on its own: a limit is of an operation while few
 * operations are refused and at least half of the last {@link RECENT} accepted responses are of others.
 */
export class RateLimits {
  readonly #shared: RateLimiter;
  readonly #own = new Map<string, RateLimiter>();
  /** The number of accepted responses at the last refusal of each operation. */
  readonly #refusedAt = new Map<string, number>();
  readonly #recent: string[] = [];
  #accepted = 0;

  /** @param rate maximum of requests per second, `Infinity` for no limit. */
  constructor(rate: number) {
    this.#shared = new RateLimiter(rate);
  }

  get stopped(): boolean {
    return this.#shared.stopped;
  }

  /** Ends all waits; later requests do not wait either. */
  stop(): void {
    for (const limiter of [this.#shared, ...this.#own.values()]) limiter.stop();
  }

  /** Waits, or not at all once the limits are stopped. */
  wait(ms: number): Promise<void> {
    return this.#shared.wait(ms);
  }

  /** Waits until a request of the operation may be sent. */
  async turn(operation: string, onWait: (reason: WaitReason, ms: number) => void): Promise<void> {
    await this.#own.get(operation)?.turn(onWait);
    await this.#shared.turn(onWait);
  }

  /** Records a response other than 429. */
  accepted(operation: string): void {
    this.#recent[this.#accepted % RECENT] = operation;
    this.#accepted += 1;
    this.#own.get(operation)?.accepted();
    this.#shared.accepted();
  }

  /** Records a refusal that asks for `ms`. Returns how long this request must wait. */
  refused(operation: string, ms: number, reason: WaitReason = 'status-429'): number {
    this.#refusedAt.set(operation, this.#accepted);
    return (this.#isOwnLimit() ? this.#limiterOf(operation) : this.#shared).refused(ms, reason);
  }

  #isOwnLimit(): boolean {
    const refused = (operation: string): boolean =>
      (this.#refusedAt.get(operation) ?? -Infinity) >= this.#accepted - RECENT;
    const ofOthers = this.#recent.filter((operation) => !refused(operation)).length;
    const operations = [...this.#refusedAt.keys()].filter(refused).length;
    return operations <= MOST_OPERATIONS_WITH_OWN_LIMIT && ofOthers >= RECENT / 2;
  }

  #limiterOf(operation: string): RateLimiter {
    const limiter = this.#own.get(operation) ?? new RateLimiter(Infinity);
    this.#own.set(operation, limiter);
    return limiter;
  }
}

/** Delays each request until the limits permit it. */
export function withRateLimit(limits: RateLimits, statistics: Statistics): Middleware {
  return (next) => async (spec) => {
    const { id } = spec.operation;
    await limits.turn(id, (reason, ms) => statistics.countWait(id, reason, ms));
    return next(spec);
  };
}
