import type { Journal } from './table.ts';
import { Table } from './table.ts';
import type { Random } from './random.ts';

/** Object types as the audit log names them. */
export const OBJECT_TYPES = {
  policy: '7d3c1b52-4f0a-4b8e-8a51-1c6e0f9d2a01',
  processingOrder: '7d3c1b52-4f0a-4b8e-8a51-1c6e0f9d2a02',
  agent: '7d3c1b52-4f0a-4b8e-8a51-1c6e0f9d2a03',
  job: '7d3c1b52-4f0a-4b8e-8a51-1c6e0f9d2a04',
} as const;

export type ObjectType = keyof typeof OBJECT_TYPES;

export interface AuditEntry {
  id: string;
  objectId: string;
  objectTypeId: string;
  objectName: string | null;
  action: string;
  authorId: string;
  createdAt: string;
}

/** Older entries are forgotten beyond this. */
const KEPT = 50_000;

/** What was changed, by whom. */
export class AuditLog {
  readonly #entries: Table<AuditEntry>;
  readonly #random: Random;
  #last: number;

  constructor(journal: Journal, random: Random) {
    this.#entries = new Table('audit', journal, KEPT);
    this.#random = random;
    this.#last = Number([...this.#entries.keys()].at(-1) ?? 0);
  }

  add(type: ObjectType, objectId: string, objectName: string | null, action: string, authorId: string): void {
    const key = String(++this.#last).padStart(12, '0');
    const createdAt = new Date().toISOString();
    const objectTypeId = OBJECT_TYPES[type];
    const id = this.#random.uuid();
    this.#entries.set(key, { id, objectId, objectTypeId, objectName, action, authorId, createdAt });
  }

  /** The newest first. */
  find(wanted: (entry: AuditEntry) => boolean): AuditEntry[] {
    return this.#entries.values().filter(wanted).toReversed();
  }

  /** Undoes the newest entry that fits. */
  remove(wanted: (entry: AuditEntry) => boolean): void {
    const key = [...this.#entries.keys()].findLast((candidate) => {
      const entry = this.#entries.get(candidate);
      return entry !== undefined && wanted(entry);
    });
    if (key !== undefined) this.#entries.delete(key);
  }
}
