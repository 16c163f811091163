import type { Json } from '../../spec/index.ts';
import { isObject, parsedJson } from '../../spec/index.ts';
import { defined } from '../../spec/defined.ts';
import type { Owner } from '../../spec/owner.ts';

/** An item about to be created, with the data to find and remove it later. */
export interface Intent {
  readonly create: string;
  readonly remove: string;
  /** Name of the removing operation's path parameter that takes the id. */
  readonly idName: string;
  /** Values of the path parameters before it, where it is below other items. */
  readonly parents?: Readonly<Record<string, string>>;
  /** Part of the item's name, unique in the deployment; empty if no name was sent. */
  readonly tag: string;
  /** Id of the operation that lists such items; without it, an item with an unknown id cannot be found. */
  readonly list?: string;
  /** Name of the form that removes it. */
  readonly form?: string;
}

export interface JournalEntry extends Intent {
  /** Sequence number within its journal. */
  readonly number: number;
  readonly id?: string;
  /** True if it was, or may have been, created without a name of the run, or if an update took the name from it. */
  readonly isUnnamed?: true;
  /** The id in the response to a creation without a name of the run, which may be that of an item that existed before. */
  readonly shownId?: string;
  /** True if its creation succeeded, and the response does not contain its id. */
  readonly isServed?: true;
  /** How many items with its tag were created and not removed by the run, where it stands for several. */
  readonly amount?: number;
}

/** First line of each journal. */
export interface JournalHeader {
  readonly type: 'journal';
  readonly version: 1;
  readonly runId: string;
  readonly baseUrl: string;
  /** Other base URLs of operations; see `Connection`. */
  readonly bases?: Readonly<Record<string, string>>;
  /** Absolute path or URL of the description of the run; without it, the built-in one or one that is not known. */
  readonly spec?: string;
  readonly owner: Owner;
  readonly startedAt: string;
}

export type JournalLine =
  | { readonly type: 'intend'; readonly number: number; readonly intent: Intent }
  | { readonly type: 'unnamed'; readonly number: number; readonly shownId?: string }
  | { readonly type: 'acknowledge'; readonly number: number; readonly id: string }
  | { readonly type: 'amount'; readonly number: number; readonly amount: number }
  | { readonly type: 'served' | 'removed' | 'refused' | 'cancelled' | 'forgotten' | 'stored'; readonly number: number }
  | { readonly type: 'save'; readonly name: string; readonly value: Json }
  | { readonly type: 'restored'; readonly name: string };

/** Most items that are looked for although their creation was refused, or their removal served: a load run can have very many. */
const MOST_SETTLED = 10_000;

/** The state of a journal: resources created and not removed, and global state changed and not restored. */
export class JournalState {
  intended = 0;
  #refused = 0;
  /** Creations that were refused. The item of one may be stored nevertheless: it is found by its tag or id. */
  readonly refused = new Map<number, JournalEntry>();
  /** Items that were removed. The item of one may be there nevertheless: it is found by its tag or id. */
  readonly removed = new Map<number, JournalEntry>();
  readonly pending = new Map<number, JournalEntry>();
  readonly globals = new Map<string, Json>();

  /** The first value saved under a name is the one to restore. A line of an unknown type changes nothing. */
  add(line: JournalLine): void {
    if (line.type === 'intend') {
      this.intended += 1;
      this.pending.set(line.number, { ...line.intent, number: line.number });
    } else if (line.type === 'acknowledge') this.#change(line.number, { id: line.id });
    else if (line.type === 'amount') this.#change(line.number, { amount: line.amount });
    else if (line.type === 'unnamed')
      this.#change(line.number, { isUnnamed: true, ...defined({ shownId: line.shownId }) });
    else if (line.type === 'served') this.#change(line.number, { isServed: true });
    else if (line.type === 'removed') this.#settle(line.number, this.removed);
    else if (line.type === 'refused') this.#refused += this.#settle(line.number, this.refused) ? 1 : 0;
    else if (line.type === 'cancelled') this.#refused += this.pending.delete(line.number) ? 1 : 0;
    else if (line.type === 'forgotten') this.pending.delete(line.number);
    else if (line.type === 'stored') this.#reopen(line.number);
    else if (line.type === 'restored') this.globals.delete(line.name);
    else if (line.type === 'save' && !this.globals.has(line.name)) this.globals.set(line.name, line.value);
  }

  #change(number: number, news: Partial<JournalEntry>): void {
    const entry = this.pending.get(number);
    if (entry) this.pending.set(number, { ...entry, ...news });
  }

  /** True if it was pending. */
  #settle(number: number, settled: Map<number, JournalEntry>): boolean {
    const entry = this.pending.get(number);
    if (entry === undefined) return false;
    this.pending.delete(number);
    const isFindable = entry.tag !== '' || entry.id !== undefined;
    if (isFindable && settled.size < MOST_SETTLED) settled.set(number, entry);
    return true;
  }

  #reopen(number: number): void {
    const entry = this.refused.get(number) ?? this.removed.get(number);
    if (entry === undefined) return;
    if (this.refused.delete(number)) this.#refused -= 1;
    this.removed.delete(number);
    this.pending.set(number, entry);
  }

  /** Number of resources that were or may have been created. */
  get created(): number {
    return this.intended - this.#refused;
  }

  get isEmpty(): boolean {
    return this.pending.size === 0 && this.globals.size === 0;
  }
}

function isHeader(value: unknown): value is JournalHeader {
  return isObject(value) && value['type'] === 'journal' && value['version'] === 1 && isObject(value['owner']);
}

/** Parses a journal; undefined if the text is not a journal. An incomplete last line is ignored. */
export function parseJournal(text: string): { header: JournalHeader; ledger: JournalState } | undefined {
  const [header, ...lines] = text.split('\n').map(parsedJson);
  if (!isHeader(header)) return undefined;
  const ledger = new JournalState();
  for (const line of lines) if (isObject(line)) ledger.add(line as unknown as JournalLine);
  return { header, ledger };
}
