import type { Journal } from './table.ts';

/** What is kept in memory of a clue's entity, for searching. */
export interface EntityName {
  readonly name: string;
  readonly entityType: string;
  readonly origin: string;
}

/** Clues held in memory, and names that can be suggested; the oldest go first. With a data folder all clues are kept. */
const CLUES_KEPT = 100_000;
const NAMES_KEPT = 10_000;

/** Clues by origin code. */
export class Clues {
  readonly #journal: Journal;
  readonly #inMemory: Map<string, Buffer> | undefined;
  readonly #names = new Map<string, EntityName>();

  constructor(journal: Journal, durable: boolean) {
    this.#journal = journal;
    this.#inMemory = durable ? undefined : new Map();
    for (const [, name] of journal.rows('names')) this.#remember(name as EntityName);
  }

  /** The names of stored entities, the oldest first. */
  names(): Iterable<EntityName> {
    return this.#names.values();
  }

  /** The clue as it was posted; undefined for an unknown origin code and on durable data. */
  get(origin: string): Buffer | undefined {
    return this.#inMemory?.get(origin);
  }

  /** Stores a clue; one with the same origin code is replaced. */
  set(entity: EntityName, raw: Buffer): void {
    this.#journal.write('clues', entity.origin, raw);
    if (this.#inMemory !== undefined) keep(this.#inMemory, entity.origin, raw, CLUES_KEPT);
    this.#remember(entity);
    this.#journal.write('names', entity.origin, entity);
  }

  #remember(entity: EntityName): void {
    const forgotten = keep(this.#names, entity.origin, entity, NAMES_KEPT);
    if (forgotten !== undefined) this.#journal.write('names', forgotten, undefined);
  }
}

/** @returns the key that had to go. */
function keep<T>(map: Map<string, T>, key: string, value: T, limit: number): string | undefined {
  map.set(key, value);
  if (map.size <= limit) return undefined;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
  return oldest;
}
