import type { Recorder } from './recorder.ts';

/** Responses with 401 while it is unknown whether the token has expired: then they are no failures of the target, and counted apart. */
export class Refusals {
  readonly #recorder: Recorder;
  readonly #report: () => void;
  readonly #isWatching: boolean;
  #pending: { readonly series: number; readonly id: number }[] = [];
  /** `performance.now()` of the last new token. */
  #replacedAt = -Infinity;
  #count = false;
  #reported = false;

  /** @param report called once for each token that is refused */
  constructor(recorder: Recorder, isWatching: boolean, report: () => void) {
    this.#recorder = recorder;
    this.#isWatching = isWatching;
    this.#report = report;
  }

  /** Counts a 401 to a request that was sent at `sentAt`; false if it counts as a failure. */
  take(series: number, id: number, sentAt: number): boolean {
    if (!this.#isWatching) return false;
    if (sentAt < this.#replacedAt) this.#recorder.refusal(id);
    else if (this.#count) return false;
    else {
      this.#pending.push({ series, id });
      if (!this.#reported) this.#report();
      this.#reported = true;
    }
    return true;
  }

  /** The token was replaced: pending refusals belong to the old one. */
  replaced(): void {
    this.#replacedAt = performance.now();
    this.#count = false;
    this.#reported = false;
    this.settle();
  }

  /** The token is valid: 401 is a failure of the operation. */
  count(): void {
    this.#count = true;
    for (const { series, id } of this.#pending) this.#recorder.failure(series, '401', id);
    this.#pending = [];
  }

  /** Counts pending refusals as those of an expired token. */
  settle(): void {
    for (const { id } of this.#pending) this.#recorder.refusal(id);
    this.#pending = [];
  }
}
