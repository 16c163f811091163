import { Table } from './table.ts';
import type { Journal } from './table.ts';

/** The part of a clue's entity that is kept in memory for searching. */
export interface EntityName {
  readonly name: string;
  readonly entityType: string;
  readonly origin: string;
}

/** Names kept in memory; the oldest are dropped. */
const MAX_NAMES = 10_000;

/** Clues by origin code: their names, which can be searched. The clues themselves cannot be read; a data folder keeps them. */
export class Clues {
  readonly #journal: Journal;
  readonly #names: Table<EntityName>;

  constructor(journal: Journal) {
    this.#journal = journal;
    this.#names = new Table('names', journal, MAX_NAMES);
  }

  /** The names of stored entities, the oldest first. */
  names(): EntityName[] {
    return this.#names.values();
  }

  /** Stores a clue; one with the same origin code is replaced. */
  set(entity: EntityName, raw: Buffer): void {
    this.#journal.write('clues', entity.origin, raw);
    this.#names.set(entity.origin, entity);
  }
}
