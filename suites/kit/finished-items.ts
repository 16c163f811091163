import { SendError } from '../../client/index.ts';
import type { Journal, JournalEntry, Target } from '../../client/index.ts';
import type { Contract, Operation } from '../../spec/index.ts';

/** Number of items of finished tests that are kept. More would only make the lists longer that tests read. */
const KEPT = 100;

/** What {@link FinishedItems} removes items with. */
export interface RemovalTools {
  readonly contract: Contract;
  readonly journal: Journal;
  readonly target: Target;
  /** False for an operation with a limited number of requests, which tests need. */
  readonly mayRemove: (operation: Operation) => boolean;
  /** Called with the id of an item that no test will use again. */
  readonly forget: (id: string) => void;
}

/** An item that a test created. */
export interface OwnItem {
  readonly entry: JournalEntry;
  /** Undefined where it was not in the response to the creation. */
  readonly id: string | undefined;
}

/**
 * Removes items that only one test used once that test has ended, the oldest first. Items that tests share stay, and so do items
 * whose removal is refused: the clean-up at the end of the run removes them.
 */
export class FinishedItems {
  readonly #tools: RemovalTools;
  /** What is not yet removed, by test. */
  #finished: (readonly OwnItem[])[] = [];
  #kept = KEPT;
  /** The removal that makes room, while it goes on. */
  #room: Promise<boolean> | undefined;

  constructor(tools: RemovalTools) {
    this.#tools = tools;
  }

  /** Takes what only a finished test used, and removes the oldest items where there are too many. */
  async add(created: readonly OwnItem[]): Promise<void> {
    this.#finished.push(created);
    await this.#remove(this.#takeOldest());
  }

  /** Removes all of them, and keeps none from now on: the deployment may limit their number. False where nothing is removed. */
  makeRoom(): Promise<boolean> {
    this.#kept = 0;
    const entries = this.#takeOldest();
    if (entries.length > 0) {
      const room = this.#remove(entries).then(() => {
        if (this.#room === room) this.#room = undefined;
        return true;
      });
      this.#room = room;
    }
    return this.#room ?? Promise.resolve(false);
  }

  #takeOldest(): readonly JournalEntry[] {
    const pending = new Map(this.#tools.journal.pending().map((entry) => [entry.number, entry]));
    const pendingOf = ({ entry }: OwnItem): JournalEntry | undefined => pending.get(entry.number);
    const [left, removed] = split(this.#finished, (each) => pendingOf(each) !== undefined);
    let excess = left.flat().length - this.#kept;
    const taken: OwnItem[] = [];
    while (excess > 0) {
      const oldest = left.shift() ?? [];
      excess -= oldest.length;
      taken.push(...oldest);
    }
    this.#finished = left;
    for (const { id } of [...removed, ...taken]) if (id !== undefined) this.#tools.forget(id);
    return taken.flatMap((each) => pendingOf(each) ?? []);
  }

  /** The last created first, so that a job is removed before its agent. */
  async #remove(entries: readonly JournalEntry[]): Promise<void> {
    const { contract, target, mayRemove } = this.#tools;
    const kinds = new Set(entries.map(({ remove }) => remove).toReversed());
    for (const operation of [...kinds].flatMap((kind) => contract.operation(kind) ?? [])) {
      if (!mayRemove(operation)) continue;
      const own = entries.filter(({ remove }) => remove === operation.id);
      await Promise.all(
        own.map(async ({ id, idName, parents }) => {
          if (id !== undefined)
            await target.send({ operation, path: { ...parents, [idName]: id } }).catch(ignoreRefusal);
        }),
      );
    }
  }
}

/** The items that are kept, by test (without tests that keep none), and all items that are to be removed. */
function split(
  items: readonly (readonly OwnItem[])[],
  stays: (item: OwnItem) => boolean,
): readonly [left: (readonly OwnItem[])[], gone: readonly OwnItem[]] {
  const left = items.map((own) => own.filter(stays)).filter((own) => own.length > 0);
  return [left, items.flat().filter((item) => !stays(item))];
}

/** The clean-up tries again. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SendError)) throw error;
}
