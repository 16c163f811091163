import type { SliceView } from './measurement.ts';

const SECONDS = 3;
const AT_LEAST = 20;

/** Tells when failures prevail for three seconds: then going on only does harm. */
export class ErrorStorm {
  readonly #share: number;
  readonly #needed: number;
  #lasted = 0;
  #failed = 0;

  constructor(share: number, sliceMs: number) {
    this.#share = share;
    this.#needed = (SECONDS * 1000) / sliceMs;
  }

  /** True once it rages. A slice without any outcome changes nothing. */
  rages(view: SliceView): boolean {
    const outcomes = view.answered + view.failed;
    if (outcomes === 0) return false;
    const prevails = view.failed / outcomes > this.#share;
    this.#lasted = prevails ? this.#lasted + 1 : 0;
    this.#failed = prevails ? this.#failed + view.failed : 0;
    return this.#lasted >= this.#needed && this.#failed >= AT_LEAST;
  }
}
