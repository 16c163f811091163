import type { Recorder } from './recorder.ts';

/**
 * 401s while it is not known whether the token has ended or the operation refuses it. Those of an ended token are no
 * failures of the target; they are counted apart.
 */
export class Refusals {
  readonly #recorder: Recorder;
  readonly #report: () => void;
  readonly #isWatching: boolean;
  #pending: { readonly series: number; readonly id: number }[] = [];
  /** `performance.now()` of the last new token. */
  #replacedAt = -Infinity;
  #count = false;
  #reported = false;

  /** @param report says, once for each token, that it was refused */
  constructor(recorder: Recorder, isWatching: boolean, report: () => void) {
    this.#recorder = recorder;
    this.#isWatching = isWatching;
    this.#report = report;
  }

  /** Counts the 401 to a request that was sent at this moment; false where it counts as a failure. */
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

  /** There is another token: what was refused so far had the old one. */
  replaced(): void {
    this.#replacedAt = performance.now();
    this.#count = false;
    this.#reported = false;
    this.settle();
  }

  /** The token is accepted: 401 is an answer of the operation. */
  count(): void {
    this.#count = true;
    for (const { series, id } of this.#pending) this.#recorder.failure(series, '401', id);
    this.#pending = [];
  }

  /** What nobody explained any more counts as refused. */
  settle(): void {
    for (const { id } of this.#pending) this.#recorder.refusal(id);
    this.#pending = [];
  }
}
