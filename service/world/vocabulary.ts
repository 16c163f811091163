import type { Journal } from './table.ts';
import { Table } from './table.ts';

export interface VocabularyKey {
  key: string;
  name: string;
  vocabulary: string;
  dataType: string;
  createdAt: string;
}

/** Maximum of keys; the oldest are dropped to limit memory. */
const MAX_KEYS = 10_000;

export class Vocabulary extends Table<VocabularyKey> {
  constructor(journal: Journal) {
    super('vocabulary', journal, MAX_KEYS);
  }

  /** Adds a key if it is new. */
  learn(key: string): void {
    if (this.has(key) || key === '') return;
    const dot = key.indexOf('.');
    const vocabulary = dot > 0 ? key.slice(0, dot) : key;
    const name = dot > 0 ? key.slice(dot + 1) : key;
    this.set(key, { key, name, vocabulary, dataType: 'Text', createdAt: new Date().toISOString() });
  }
}
