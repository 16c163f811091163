import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open } from 'lmdb';
import type { RootDatabase } from 'lmdb';
import { writeJson } from '../json/exact.ts';
import { readJson } from '../json/read.ts';
import type { Journal } from '../world/table.ts';

type Row = readonly [sequence: number, key: string, value: unknown];

/**
 * A journal in an LMDB environment. The changes of one turn of the event loop are one transaction; `settled` resolves after its commit, so
 * that an answered change survives a crash of the process.
 */
export function openJournal(directory: string): Journal {
  mkdirSync(directory, { recursive: true });
  return new LmdbJournal(open({ path: directory, encoding: 'binary', mapSize: 2 ** 36 }));
}

class LmdbJournal implements Journal {
  readonly #database: RootDatabase<Buffer, string>;
  readonly #sequences = new Map<string, number>();
  #next = 0;
  #pending: Promise<unknown> | undefined;

  constructor(database: RootDatabase<Buffer, string>) {
    this.#database = database;
  }

  write(table: string, key: string, value: unknown): void {
    const place = placeOf(table, key);
    if (value === undefined) {
      this.#sequences.delete(place);
      this.#track(this.#database.remove(place));
    } else if (value instanceof Buffer) {
      this.#track(this.#database.put(place, value));
    } else {
      const row: Row = [this.#sequence(place), key, value];
      this.#track(this.#database.put(place, Buffer.from(writeJson(row))));
    }
  }

  rows(table: string): (readonly [string, unknown])[] {
    const range = this.#database.getRange({ start: `${table}:`, end: `${table};` });
    const rows = [...range].map(({ key, value }) => [key, readJson(value) as Row] as const);
    for (const [place, [sequence]] of rows) {
      this.#sequences.set(place, sequence);
      this.#next = Math.max(this.#next, sequence + 1);
    }
    return rows
      .map(([, row]) => row)
      .toSorted(([left], [right]) => left - right)
      .map(([, key, value]) => [key, value]);
  }

  async settled(): Promise<void> {
    await this.#pending;
  }

  async close(): Promise<void> {
    await this.#pending;
    await this.#database.close();
  }

  /** Rows keep the position of their first write. */
  #sequence(place: string): number {
    const known = this.#sequences.get(place);
    if (known !== undefined) return known;
    this.#sequences.set(place, this.#next);
    return this.#next++;
  }

  #track(change: Promise<unknown>): void {
    this.#pending = change;
  }
}

/** Keys are hashed: LMDB limits their length, clients do not. */
function placeOf(table: string, key: string): string {
  return `${table}:${hash('sha1', key, 'base64url')}`;
}
