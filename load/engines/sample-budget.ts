const REFILLS_PER_SECOND = 20;
const ODD_PER_REFILL = 1;

/** How many answers may be kept for judging: spread over time, so that its cost does not grow with the rate. */
export class SampleBudget {
  #left = 0;
  #odd = 0;
  #owed = 0;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(perSecond: number) {
    if (perSecond <= 0) return;
    const each = perSecond / REFILLS_PER_SECOND;
    this.#left = Math.ceil(each);
    this.#timer = setInterval(() => {
      this.#owed += each;
      this.#left = Math.floor(this.#owed);
      this.#owed -= this.#left;
      this.#odd = ODD_PER_REFILL;
    }, 1000 / REFILLS_PER_SECOND);
  }

  /** Takes one, where one is left. Odd answers have a budget of their own, so that rare ones are seen too. */
  take(odd: boolean): boolean {
    if (odd && this.#odd > 0) {
      this.#odd -= 1;
      return true;
    }
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
