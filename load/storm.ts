import type { SliceView } from './measurement.ts';

const SECONDS = 3;
const AT_LEAST = 20;

/** Detects that most requests fail for three seconds, so that the run can stop. */
export class ErrorStorm {
  readonly #share: number;
  readonly #needed: number;
  #lasted = 0;
  #failed = 0;

  constructor(share: number, sliceMs: number) {
    this.#share = share;
    this.#needed = (SECONDS * 1000) / sliceMs;
  }

  /** True when the run should stop. A slice without outcomes changes nothing. */
  add(view: SliceView): boolean {
    const outcomes = view.answered + view.failed;
    if (outcomes === 0) return false;
    const mostFail = view.failed / outcomes > this.#share;
    this.#lasted = mostFail ? this.#lasted + 1 : 0;
    this.#failed = mostFail ? this.#failed + view.failed : 0;
    return this.#lasted >= this.#needed && this.#failed >= AT_LEAST;
  }
}
