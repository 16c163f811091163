import { Recent } from './recent.ts';
import type { Journal } from './table.ts';

/** What is kept in memory of a clue's entity, for searching. */
export interface EntityName {
  readonly name: string;
  readonly entityType: string;
  readonly origin: string;
}

/** Clues held in memory, and names that can be suggested; the oldest go first. With a data folder all clues are kept. */
const CLUES_KEPT = 50_000;
const NAMES_KEPT = 10_000;

/** Clues by origin code. */
export class Clues {
  readonly #journal: Journal;
  readonly #inMemory: Recent<Buffer> | undefined;
  readonly #names = new Recent<EntityName>(NAMES_KEPT);

  constructor(journal: Journal, durable: boolean) {
    this.#journal = journal;
    this.#inMemory = durable ? undefined : new Recent(CLUES_KEPT);
    for (const [, name] of journal.rows('names')) this.#remember(name as EntityName);
  }

  /** The names of stored entities, the oldest first. */
  names(): EntityName[] {
    return this.#names.values();
  }

  /** The clue as it was posted; undefined for an unknown origin code and on durable data. */
  get(origin: string): Buffer | undefined {
    return this.#inMemory?.get(origin);
  }

  /** Stores a clue; one with the same origin code is replaced. */
  set(entity: EntityName, raw: Buffer): void {
    this.#journal.write('clues', entity.origin, raw);
    this.#inMemory?.set(entity.origin, raw);
    this.#remember(entity);
    this.#journal.write('names', entity.origin, entity);
  }

  #remember(entity: EntityName): void {
    const forgotten = this.#names.set(entity.origin, entity);
    if (forgotten !== undefined) this.#journal.write('names', forgotten, undefined);
  }
}
