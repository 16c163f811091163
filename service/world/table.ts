/** Where changes go that must outlive the process. */
export interface Journal {
  /** Notes a row's new value, or (undefined) that it is gone. */
  write(table: string, key: string, value: unknown): void;
  /** Rows of an earlier life. */
  rows(table: string): Iterable<readonly [string, unknown]>;
  /** Resolves when everything that was noted so far is durable; undefined when nothing is left to wait for. */
  settled(): Promise<void> | undefined;
  close(): Promise<void>;
}

/** Forgets everything: for a service in memory. */
export const NO_JOURNAL: Journal = {
  write: () => {},
  rows: () => [],
  settled: () => undefined,
  close: () => Promise.resolve(),
};

/** Rows by key, in the order of their making; every change is noted in the journal. */
export class Table<T> {
  readonly #name: string;
  readonly #journal: Journal;
  readonly #rows: Map<string, T>;
  readonly #limit: number;
  readonly #onGone: ((key: string, row: T) => void) | undefined;
  /** Keys in the order of their making, where there is a limit. */
  readonly #ring: string[] = [];
  #next = 0;

  /**
   * @param limit Beyond this the oldest row goes for each new one.
   * @param onGone Hears of every row that goes.
   */
  constructor(name: string, journal: Journal, limit = Infinity, onGone?: (key: string, row: T) => void) {
    this.#name = name;
    this.#journal = journal;
    this.#limit = limit;
    this.#onGone = onGone;
    this.#rows = new Map(journal.rows(name) as Iterable<readonly [string, T]>);
    for (const key of this.#rows.keys()) this.#makeRoom(key);
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): T | undefined {
    return this.#rows.get(key);
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  values(): T[] {
    return [...this.#rows.values()];
  }

  entries(): IterableIterator<[string, T]> {
    return this.#rows.entries();
  }

  keys(): IterableIterator<string> {
    return this.#rows.keys();
  }

  set(key: string, row: T): void {
    if (!this.#rows.has(key)) this.#makeRoom(key);
    this.#rows.set(key, row);
    this.#journal.write(this.#name, key, row);
  }

  delete(key: string): boolean {
    const row = this.#rows.get(key);
    if (row === undefined) return false;
    this.#rows.delete(key);
    this.#onGone?.(key, row);
    this.#journal.write(this.#name, key, undefined);
    return true;
  }

  /** A ring finds the oldest: a Map that loses its first rows again and again walks over their graves. */
  #makeRoom(key: string): void {
    if (this.#limit === Infinity) return;
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) this.delete(oldest);
    this.#ring[this.#next] = key;
    this.#next = (this.#next + 1) % this.#limit;
  }
}
