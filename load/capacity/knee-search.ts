import type { Throughput } from '../throughput.ts';

export interface StepResult {
  /** Responses per second. */
  readonly rate: number;
  readonly held: boolean;
  /** More was offered than the target can handle, so `rate` is close to its capacity. */
  readonly saturated: boolean;
  /** The target served some requests and refused the others, as a rate limit does: `rate` is what it accepts. */
  readonly refuses: boolean;
}

export interface NextStep {
  readonly rate: number;
  /** `probe`: short, narrows the interval. `confirm`: longer. */
  readonly kind: 'probe' | 'confirm';
}

export interface KneeOptions {
  /** First guess in requests per second. */
  readonly guess: number;
  /** The guess may be far too low. */
  readonly isRough: boolean;
  /** Lowest and highest rate to try. */
  readonly floor: number;
  readonly ceiling: number;
}

/** The search stops when `high` exceeds `low` by at most this share. */
const TOLERANCE = 0.02;
/** The first rate, as a share of the guess. */
const FIRST = 0.8;
/** The next rate above one that met the thresholds is at most this many times as high. */
const MOST_UP = 1.6;
/** The same, where the guess is rough and no rate has failed yet, or the target handles more than it answers when it is overloaded. */
const ROUGH_UP = 3;
/** The same for a fragile target, and how far the next rate goes into the interval, as a share of its ratio. */
const SMALL_UP = 1.3;
const SMALL_SHARE = 0.35;
/** A step in which more than this share was accepted is followed by one at so small a share of its rate. */
const MOST_ACCEPTED = 0.9;
const FAR_DOWN = 0.35;
/** Number of successes, or failures, that confirm a rate. */
const CONFIRMED = 2;

/** Lowest rate of a search, in requests per second. */
export const FLOOR = 1;

/** The first guess: the throughput when every connection is busy, else the highest rate to try. */
export function guessFrom(throughput: Throughput | undefined, ceiling: number): Pick<KneeOptions, 'guess' | 'isRough'> {
  if (throughput === undefined) return { guess: Math.max(FLOOR, ceiling), isRough: false };
  // A phase that ended early for its failures has no steady part: what was accepted until then is the better guess.
  const { rate, failed } = throughput.trial.measurement.whole;
  const first = throughput.phase.rate || rate;
  // Where every response was refused, nothing is known of what is accepted: by a rate limit, for example.
  const known = first === 0 && failed > 0 ? ceiling : first;
  return { guess: Math.min(ceiling, Math.max(FLOOR, known)), isRough: throughput.phase.rate === 0 };
}

/**
 * Searches for the highest rate that meets the thresholds, without a clock or requests of its own. Later steps outweigh
 * earlier ones: a failure cancels earlier successes at this rate or above, so that the search follows a target that slows down.
 */
export class KneeSearch {
  /** Steps are long: a success counts as a first confirmation, and the next rate is close to the last one. */
  hasLongSteps = false;
  /** An overload costs the target far more than time: the next rates rise in small steps. */
  isFragile = false;
  readonly #options: KneeOptions;
  /** Rates that met the thresholds and rates that did not, by their latest step. */
  #held: number[] = [];
  #failed: number[] = [];
  /** Number of failures of each failed rate. */
  #failures = new Map<number, number>();
  #hint: number | undefined;
  /** The target handles far more than it answers when it is overloaded, so that hints mislead. */
  #misleads = false;
  #refuses = false;
  #confirming: { rate: number; holds: number; fails: number } | undefined;
  #confirmed = false;
  #stuck = false;

  constructor(options: KneeOptions) {
    this.#options = options;
  }

  /** The highest rate that met the thresholds; 0 if none did. */
  get low(): number {
    return Math.max(0, ...this.#held);
  }

  /** The lowest rate that failed; Infinity if none did. */
  get high(): number {
    return Math.min(Infinity, ...this.#failed);
  }

  /** `low` met the thresholds repeatedly, in longer steps. */
  get confirmed(): boolean {
    return this.#confirmed;
  }

  /** Undefined when the search is finished. `hurry`: little time is left, so confirm `low` instead of narrowing the interval. */
  next(hurry = false): NextStep | undefined {
    if (this.#confirmed || this.#stuck) return undefined;
    const narrowed = this.#narrowed();
    const rate = narrowed || (hurry && this.low > 0) ? undefined : this.#probe();
    if (rate !== undefined) return { rate, kind: 'probe' };
    if (narrowed && !hurry && this.#doubtsHigh()) return { rate: this.high, kind: 'probe' };
    if (this.low === 0) {
      this.#stuck = true;
      return undefined;
    }
    return { rate: this.low, kind: 'confirm' };
  }

  tell(step: NextStep, result: StepResult): void {
    if (!result.held) {
      this.#hint = result.saturated ? result.rate : undefined;
      this.#refuses = result.refuses;
    } else if (this.#hint !== undefined && step.rate > this.#hint * 1.1) this.#misleads = true;
    if (step.kind === 'confirm') this.#confirm(step.rate, result);
    else this.#note(step.rate, result.held);
    if (this.hasLongSteps && step.kind === 'probe' && result.held)
      this.#confirming = { rate: step.rate, holds: 1, fails: 0 };
  }

  /** True if the lowest failed rate has failed only once, which may be chance. */
  #doubtsHigh(): boolean {
    return Number.isFinite(this.high) && (this.#failures.get(this.high) ?? 0) < CONFIRMED;
  }

  #note(rate: number, held: boolean): void {
    if (held) {
      const hadFailed = this.#failures.has(rate);
      this.#held.push(rate);
      this.#failed = hadFailed ? [] : this.#failed.filter((failed) => failed > rate);
      if (hadFailed) this.#failures.clear();
    } else {
      if (!this.#failed.includes(rate)) this.#failed.push(rate);
      this.#failures.set(rate, (this.#failures.get(rate) ?? 0) + 1);
      this.#held = this.#held.filter((kept) => kept < rate);
    }
  }

  #confirm(rate: number, { held, rate: answered }: StepResult): void {
    const before = this.#confirming?.rate === rate ? this.#confirming : { rate, holds: 0, fails: 0 };
    const now = { rate, holds: before.holds + (held ? 1 : 0), fails: before.fails + (held ? 0 : 1) };
    this.#confirming = now;
    if (now.holds >= CONFIRMED) this.#confirmed = true;
    if (now.fails >= CONFIRMED || (!held && answered < rate * 0.95)) {
      this.#confirming = undefined;
      this.#note(rate, false);
    }
  }

  #narrowed(): boolean {
    const { ceiling } = this.#options;
    return this.low > 0 && (this.low >= ceiling || this.high / this.low <= 1 + TOLERANCE);
  }

  #probe(): number | undefined {
    const { guess, ceiling, floor, isRough } = this.#options;
    const { low, high } = this;
    if (low === 0 && high === Infinity) return Math.min(ceiling, guess * FIRST);
    const most = isRough ? ROUGH_UP : MOST_UP;
    const beyond = this.hasLongSteps ? 1.15 : this.isFragile ? SMALL_UP : most;
    if (high === Infinity) return Math.min(ceiling, low * (low < guess ? 1.3 : beyond));
    const answered = this.#hint === undefined ? undefined : this.#hint * 0.985;
    // Where nearly all requests are accepted, what is accepted tells nothing.
    if (low === 0 && this.#refuses && answered !== undefined && answered > high * MOST_ACCEPTED)
      return high * FAR_DOWN < floor ? undefined : high * FAR_DOWN;
    if (low === 0) {
      const lowest = this.#refuses ? floor : high * 0.5;
      const down = Math.min(high * 0.9, Math.max(lowest, answered ?? high * 0.65));
      return down < floor ? undefined : down;
    }
    const isRefuted = this.#misleads || (answered !== undefined && low > answered * 1.034);
    const middle = this.isFragile
      ? Math.min(low * (high / low) ** SMALL_SHARE, low * SMALL_UP)
      : Math.min(Math.sqrt(low * high), low * (isRefuted ? ROUGH_UP : MOST_UP));
    if (answered === undefined || isRefuted || answered >= high / 1.005) return middle;
    return answered > low * 1.01 ? answered : Math.min(middle, Math.max(low * 1.015, answered * 1.035));
  }
}
