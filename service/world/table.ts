/** Persists changes. */
export interface Journal {
  /** Writes a row; undefined removes it. */
  write(table: string, key: string, value: unknown): void;
  /** Rows of earlier processes. */
  rows(table: string): Iterable<readonly [string, unknown]>;
  /** Resolves when all writes so far are durable; undefined if there is nothing to wait for. */
  settled(): Promise<void> | undefined;
  close(): Promise<void>;
}

/** Persists nothing: for a service in memory. */
export const NO_JOURNAL: Journal = {
  write: () => {},
  rows: () => [],
  settled: () => undefined,
  close: () => Promise.resolve(),
};

/** Rows by key, in order of creation; every change is written to the journal. */
export class Table<T> {
  readonly #name: string;
  readonly #journal: Journal;
  readonly #rows: Map<string, T>;
  readonly #limit: number;
  readonly #onRemoved: ((key: string, row: T) => void) | undefined;
  /** Keys in order of creation, if there is a limit. */
  readonly #ring: string[] = [];
  #next = 0;

  /** `limit`: most rows, of which the oldest are removed; `onRemoved` is called for every removed row. */
  constructor(name: string, journal: Journal, limit = Infinity, onRemoved?: (key: string, row: T) => void) {
    this.#name = name;
    this.#journal = journal;
    this.#limit = limit;
    this.#onRemoved = onRemoved;
    this.#rows = new Map(journal.rows(name) as Iterable<readonly [string, T]>);
    for (const key of this.#rows.keys()) this.#makeRoom(key);
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

  /** Changes some fields of a row, if there is one. */
  merge(key: string, changes: Partial<T>): void {
    const row = this.#rows.get(key);
    if (row !== undefined) this.set(key, { ...row, ...changes });
  }

  delete(key: string): boolean {
    const row = this.#rows.get(key);
    if (row === undefined) return false;
    this.#rows.delete(key);
    this.#onRemoved?.(key, row);
    this.#journal.write(this.#name, key, undefined);
    return true;
  }

  /** The oldest row is found by a ring of keys: a Map whose first entries are deleted repeatedly becomes slow to iterate. */
  #makeRoom(key: string): void {
    if (this.#limit === Infinity) return;
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) this.delete(oldest);
    this.#ring[this.#next] = key;
    this.#next = (this.#next + 1) % this.#limit;
  }
}
