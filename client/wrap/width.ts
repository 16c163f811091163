import type { Exchange } from '../../spec/index.ts';

/** Answers that one width is judged by. */
const WINDOW = 200;

/** Where half of the answers come faster, nothing is won by more at once. */
const SLOW_MS = 40;

const GROWTH = 1.5;

/** A target that answers so much later where more is asked at once is loaded, not far away. */
const LATER = 1.2;

/**
 * How many requests are under way at once. A target that is slow because it is far away is asked for more at once, step by step,
 * for as long as that makes it no slower and it never says later.
 */
export class Width {
  readonly #most: number;
  #places: number;
  #narrower: { readonly places: number; readonly medianMs: number } | undefined;
  #settled: boolean;
  #durations: number[] = [];

  constructor(places: number, most: number) {
    this.#places = places;
    this.#most = most;
    this.#settled = places >= most;
  }

  get places(): number {
    return this.#places;
  }

  /** Takes note of an answer that came while others waited for their turn. */
  note({ durationMs, attempts, response }: Exchange): void {
    if (this.#settled) return;
    if (attempts > 1 || response === undefined) this.#durations = [];
    else this.#durations.push(durationMs);
    if (this.#durations.length < WINDOW) return;
    const medianMs = this.#durations.toSorted((a, b) => a - b)[WINDOW >> 1] ?? 0;
    this.#durations = [];
    this.#judge(medianMs);
  }

  #judge(medianMs: number): void {
    const narrower = this.#narrower;
    if (narrower !== undefined && medianMs > narrower.medianMs * LATER) {
      this.#places = narrower.places;
      this.#settled = true;
    } else if (medianMs >= SLOW_MS) {
      this.#narrower = { places: this.#places, medianMs };
      this.#places = Math.min(this.#most, Math.ceil(this.#places * GROWTH));
      this.#settled = this.#places === narrower?.places;
    }
  }
}
