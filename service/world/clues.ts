import { NO_JOURNAL, Table } from './table.ts';
import type { Journal } from './table.ts';

/** The part of a clue's entity that is kept in memory for searching. */
export interface EntityName {
  readonly name: string;
  readonly entityType: string;
  readonly origin: string;
}

/** Clues and names kept in memory; the oldest are dropped. A data folder keeps all clues. */
const MAX_CLUES = 50_000;
const MAX_NAMES = 10_000;

/** Clues by origin code. */
export class Clues {
  readonly #journal: Journal;
  readonly #inMemory: Table<Buffer> | undefined;
  readonly #names: Table<EntityName>;

  constructor(journal: Journal, durable: boolean) {
    this.#journal = journal;
    this.#inMemory = durable ? undefined : new Table('clues', NO_JOURNAL, MAX_CLUES);
    this.#names = new Table('names', journal, MAX_NAMES);
  }

  /** The names of stored entities, the oldest first. */
  names(): EntityName[] {
    return this.#names.values();
  }

  /** The clue as it was posted; undefined for an unknown origin code, and with a data folder. */
  get(origin: string): Buffer | undefined {
    return this.#inMemory?.get(origin);
  }

  /** Stores a clue; one with the same origin code is replaced. */
  set(entity: EntityName, raw: Buffer): void {
    this.#journal.write('clues', entity.origin, raw);
    this.#inMemory?.set(entity.origin, raw);
    this.#names.set(entity.origin, entity);
  }
}
