/**
 * The newest entries by key, up to a limit. A ring of keys finds the oldest: a Map that loses its first entries
 * again and again walks over their graves.
 */
export class Recent<T> {
  readonly #entries = new Map<string, T>();
  readonly #ring: string[] = [];
  readonly #limit: number;
  #next = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The oldest first, as long as no entry had to go. */
  values(): T[] {
    return [...this.#entries.values()];
  }

  /** @returns the key that had to go for a new one. */
  set(key: string, value: T): string | undefined {
    const isNew = !this.#entries.has(key);
    this.#entries.set(key, value);
    if (!isNew) return undefined;
    const oldest = this.#ring[this.#next];
    this.#ring[this.#next] = key;
    this.#next = (this.#next + 1) % this.#limit;
    if (oldest !== undefined) this.#entries.delete(oldest);
    return oldest;
  }
}
