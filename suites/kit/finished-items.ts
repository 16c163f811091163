import { AsyncLocalStorage } from 'node:async_hooks';
import { SendError } from '../../client/index.ts';
import type { Creation, Journal, JournalEntry, Target } from '../../client/index.ts';
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
interface Item {
  /** Of its entry in the journal. */
  readonly number: number;
  /** Undefined where it was not in the response to the creation. */
  readonly id: string | undefined;
}

/**
 * Removes items that only one test used once that test has ended, the oldest first. Items that tests share stay, and so do items
 * whose removal is refused: the clean-up at the end of the run removes them.
 */
export class FinishedItems {
  readonly #tools: RemovalTools;
  readonly #current = new AsyncLocalStorage<Item[]>();
  /** Items that are not yet removed, by test. */
  #finished: (readonly Item[])[] = [];

  constructor(tools: RemovalTools) {
    this.#tools = tools;
  }

  /** Runs a test, and then removes the oldest items of finished tests where there are too many. */
  async during<T>(test: () => Promise<T>): Promise<T> {
    const created: Item[] = [];
    try {
      return await this.#current.run(created, test);
    } finally {
      this.#finished.push(created);
      await this.#remove(this.#takeOldest());
    }
  }

  /** Calls `make`, whose items other tests will use as well. */
  shared<T>(make: () => T): T {
    return this.#current.exit(make);
  }

  /** Records a created item; to be called in the asynchronous context of the request that created it. */
  note({ entry, id }: Pick<Creation, 'entry' | 'id'>): void {
    if (entry !== undefined) this.#current.getStore()?.push({ number: entry.number, id });
  }

  #takeOldest(): readonly JournalEntry[] {
    const pending = new Map(this.#tools.journal.pending().map((entry) => [entry.number, entry]));
    const [left, removed] = split(this.#finished, ({ number }) => pending.has(number));
    let excess = left.flat().length - KEPT;
    const taken: Item[] = [];
    while (excess > 0) {
      const oldest = left.shift() ?? [];
      excess -= oldest.length;
      taken.push(...oldest);
    }
    this.#finished = left;
    for (const { id } of [...removed, ...taken]) if (id !== undefined) this.#tools.forget(id);
    return taken.flatMap(({ number }) => pending.get(number) ?? []);
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

/** The items of each test that stay, without tests of which none stays, and all items that do not. */
function split(
  items: readonly (readonly Item[])[],
  stays: (item: Item) => boolean,
): readonly [left: (readonly Item[])[], gone: readonly Item[]] {
  const left = items.map((own) => own.filter(stays)).filter((own) => own.length > 0);
  return [left, items.flat().filter((item) => !stays(item))];
}

/** The clean-up tries again. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SendError)) throw error;
}
