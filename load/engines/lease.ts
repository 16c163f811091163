/** Until when a worker may send, as another thread puts it off. */
export class Lease {
  readonly #until: Float64Array | undefined;

  constructor(memory: SharedArrayBuffer | undefined) {
    this.#until = memory && new Float64Array(memory);
  }

  /** On the clock of `performance.now()`. */
  get endsAt(): number {
    return this.#until === undefined ? Infinity : (this.#until[0] as number) - performance.timeOrigin;
  }
}
