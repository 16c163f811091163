import type { Journal } from './table.ts';
import { Table } from './table.ts';
import type { Random } from './random.ts';

/** Object type ids of the audit log. */
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

/** Maximum of entries; the oldest are dropped. */
const MAX_ENTRIES = 50_000;

/** Who changed what. */
export class AuditLog {
  readonly #entries: Table<AuditEntry>;
  /** The same entries by object id. */
  readonly #byObject = new Map<string, Map<string, AuditEntry>>();
  readonly #random: Random;
  #last: number;

  constructor(journal: Journal, random: Random) {
    this.#entries = new Table('audit', journal, MAX_ENTRIES, (key, { objectId }) => this.#forget(key, objectId));
    for (const [key, entry] of this.#entries.entries()) this.#index(key, entry);
    this.#random = random;
    this.#last = Number([...this.#entries.keys()].at(-1) ?? 0);
  }

  add(type: ObjectType, objectId: string, objectName: string | null, action: string, authorId: string): void {
    const key = String(++this.#last).padStart(12, '0');
    const createdAt = new Date().toISOString();
    const objectTypeId = OBJECT_TYPES[type];
    const id = this.#random.uuid();
    const entry = { id, objectId, objectTypeId, objectName, action, authorId, createdAt };
    this.#entries.set(key, entry);
    this.#index(key, entry);
  }

  /** Entries of these objects, or of all if the set is empty; newest first. */
  find(objectIds: ReadonlySet<string>, wanted: (entry: AuditEntry) => boolean = () => true): AuditEntry[] {
    const entries = objectIds.size === 0 ? this.#entries.values() : this.#entriesOf(objectIds);
    return entries.filter(wanted).toReversed();
  }

  #entriesOf(objectIds: ReadonlySet<string>): AuditEntry[] {
    const found = [...objectIds].flatMap((id) => [...(this.#byObject.get(id) ?? [])]);
    return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  #index(key: string, entry: AuditEntry): void {
    const known = this.#byObject.get(entry.objectId);
    if (known === undefined) this.#byObject.set(entry.objectId, new Map([[key, entry]]));
    else known.set(key, entry);
  }

  #forget(key: string, objectId: string): void {
    const known = this.#byObject.get(objectId);
    known?.delete(key);
    if (known?.size === 0) this.#byObject.delete(objectId);
  }

  /** Removes the newest matching entry. */
  remove(wanted: (entry: AuditEntry) => boolean): void {
    const key = [...this.#entries.keys()].findLast((candidate) => {
      const entry = this.#entries.get(candidate);
      return entry !== undefined && wanted(entry);
    });
    if (key !== undefined) this.#entries.delete(key);
  }
}
