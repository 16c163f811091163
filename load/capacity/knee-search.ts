/** What a step told. */
export interface StepResult {
  readonly offeredRate: number;
  /** Answers a second. */
  readonly rate: number;
  readonly held: boolean;
  /** More was offered than the target could answer, so `rate` is about what it bears. */
  readonly saturated: boolean;
}

/** The next step to take. */
export interface NextStep {
  readonly rate: number;
  /** `probe`: short, to narrow. `confirm`: longer, to be sure. */
  readonly kind: 'probe' | 'confirm';
}

export interface KneeOptions {
  /** A first guess, requests a second. */
  readonly guess: number;
  /** Rates never tried below and above. */
  readonly floor: number;
  readonly ceiling: number;
  /** Narrow until high is within this share of low. */
  readonly tolerance: number;
}

const FIRST = 0.8;
const CONFIRMED = 2;

/**
 * Where to look for the highest rate that holds. Later evidence beats earlier: a rate that fails takes back what was
 * held at it or above, so that a target that tires is followed down. Pure: no clock, no requests.
 */
export class KneeSearch {
  readonly #options: KneeOptions;
  /** Rates that hold and rates that do not, as last seen. */
  #held: number[] = [];
  #failed: number[] = [];
  /** How often the lowest failing rate has failed. */
  #failures = new Map<number, number>();
  #hint: number | undefined;
  #confirming: { rate: number; holds: number; fails: number } | undefined;
  #confirmed = false;
  #stuck = false;

  constructor(options: KneeOptions) {
    this.#options = options;
  }

  /** The highest rate that holds; 0 where none does. */
  get low(): number {
    return Math.max(0, ...this.#held);
  }

  /** The lowest rate that does not hold; Infinity where none failed. */
  get high(): number {
    return Math.min(Infinity, ...this.#failed);
  }

  /** Held repeatedly, in longer steps. */
  get confirmed(): boolean {
    return this.#confirmed;
  }

  /**
   * Undefined once the answer is found.
   * @param hurry little time is left: confirm what holds rather than narrow further.
   */
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
    if (!result.held) this.#hint = result.saturated ? result.rate : undefined;
    if (step.kind === 'confirm') this.#confirm(step.rate, result);
    else this.#note(step.rate, result.held);
  }

  /** One failure may have been an accident, of the machine or the network: the answer rests on two. */
  #doubtsHigh(): boolean {
    return Number.isFinite(this.high) && (this.#failures.get(this.high) ?? 0) < CONFIRMED;
  }

  #note(rate: number, held: boolean): void {
    if (held) {
      const accident = this.#failures.has(rate);
      this.#held.push(rate);
      this.#failed = accident ? [] : this.#failed.filter((failed) => failed > rate);
      if (accident) this.#failures.clear();
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
    const { ceiling, tolerance } = this.#options;
    return this.low > 0 && (this.low >= ceiling || this.high / this.low <= 1 + tolerance);
  }

  #probe(): number | undefined {
    const { guess, ceiling, floor } = this.#options;
    const { low, high } = this;
    if (low === 0 && high === Infinity) return Math.min(ceiling, guess * FIRST);
    if (high === Infinity) return Math.min(ceiling, low * (low < guess ? 1.3 : 1.6));
    const hint = this.#hint === undefined ? undefined : this.#hint * 0.985;
    if (low === 0) {
      const down = Math.min(high * 0.9, Math.max(high * 0.5, hint ?? high * 0.65));
      return down < floor ? undefined : down;
    }
    const middle = Math.sqrt(low * high);
    return hint !== undefined && hint > low * 1.01 && hint < high / 1.005 ? hint : middle;
  }
}
