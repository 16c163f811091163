export interface MergerListener<Item> {
  /** All that was reported of a slice of time, in order of time. */
  readonly onSlices: (index: number, items: readonly Item[]) => void;
  /** Came after its slice had been told. */
  readonly onLate: (index: number, item: Item) => void;
}

/** Holds slices back until every lane has reported that slice or has ended, or until they are overdue. */
export class Merger<Item> {
  readonly #listener: MergerListener<Item>;
  readonly #waiting = new Map<number, Item[]>();
  readonly #reached: number[];
  #next = 0;

  constructor(lanes: number, listener: MergerListener<Item>) {
    this.#listener = listener;
    this.#reached = Array.from({ length: lanes }, () => -1);
  }

  add(lane: number, index: number, item: Item): void {
    const waiting = this.#waiting.get(index);
    if (index < this.#next) this.#listener.onLate(index, item);
    else if (waiting === undefined) this.#waiting.set(index, [item]);
    else waiting.push(item);
    this.#reached[lane] = Math.max(this.#reached[lane] ?? -1, index);
  }

  ended(lane: number): void {
    this.#reached[lane] = Infinity;
  }

  /** Tells what is complete, and all slices up to `overdue`. */
  release(overdue: number): void {
    const until = Math.max(overdue, Math.min(...this.#reached));
    for (const index of [...this.#waiting.keys()].sort((a, b) => a - b)) {
      if (index > until) return;
      const items = this.#waiting.get(index) ?? [];
      this.#waiting.delete(index);
      this.#next = index + 1;
      this.#listener.onSlices(index, items);
    }
  }
}
