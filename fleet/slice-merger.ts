export interface SliceListener<Item> {
  /** Receives all items of a slice; slices come in order. */
  readonly onSlices: (index: number, items: readonly Item[]) => void;
  /** Receives an item that came after its slice was released. */
  readonly onLate: (index: number, item: Item) => void;
}

/** Holds each slice of time back until every lane has reported it or has ended, or until it is overdue. */
export class SliceMerger<Item> {
  readonly #listener: SliceListener<Item>;
  readonly #waiting = new Map<number, Item[]>();
  readonly #reached: number[];
  #next = 0;
  /** The lane that held the last release back. */
  #slowest = 0;

  constructor(lanes: number, listener: SliceListener<Item>) {
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

  /** Releases the complete slices, and all up to index `overdue`. */
  release(overdue: number): void {
    if ((this.#reached[this.#slowest] ?? Infinity) < this.#next && overdue < this.#next) return;
    const reached = Math.min(...this.#reached);
    this.#slowest = this.#reached.indexOf(reached);
    const until = Math.max(overdue, reached);
    for (const index of [...this.#waiting.keys()].sort((a, b) => a - b)) {
      if (index > until) return;
      const items = this.#waiting.get(index) ?? [];
      this.#waiting.delete(index);
      this.#next = index + 1;
      this.#listener.onSlices(index, items);
    }
  }
}
