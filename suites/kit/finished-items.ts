import { AsyncLocalStorage } from 'node:async_hooks';
import { SendError } from '../../client/index.ts';
import type { Journal, JournalEntry, Target } from '../../client/index.ts';
import type { Contract, Operation } from '../../spec/index.ts';

/** Items of finished tests that stay until the run ends. With more, the lists that tests read are only longer. */
const KEPT = 100;

/** What {@link FinishedItems} removes items with. */
export interface RemovalTools {
  readonly contract: Contract;
  readonly journal: Journal;
  readonly target: Target;
  /** False where requests of the operation are needed for tests. */
  readonly mayRemove: (operation: Operation) => boolean;
}

/**
 * Removes what tests created for themselves once they have ended, the oldest first. What tests share stays, and so does
 * what is refused: the clean-up at the end of the run removes it.
 */
export class FinishedItems {
  readonly #tools: RemovalTools;
  readonly #current = new AsyncLocalStorage<Set<number>>();
  /** Numbers of journal entries, by test. */
  #finished: (readonly number[])[] = [];

  constructor(tools: RemovalTools) {
    this.#tools = tools;
  }

  /** Runs a test, and then removes the items of older ones where there are too many. */
  async during(test: () => Promise<void>): Promise<void> {
    const created = new Set<number>();
    try {
      await this.#current.run(created, test);
    } finally {
      if (created.size > 0) this.#finished.push([...created]);
      await this.#remove(this.#takeOldest());
    }
  }

  /** Makes what other tests will use as well. */
  shared<T>(make: () => T): T {
    return this.#current.exit(make);
  }

  /** To be called in the asynchronous context of the request that created it. */
  note({ number }: JournalEntry): void {
    this.#current.getStore()?.add(number);
  }

  #takeOldest(): readonly JournalEntry[] {
    const pending = new Map(this.#tools.journal.pending().map((entry) => [entry.number, entry]));
    const left = this.#finished
      .map((numbers) => numbers.filter((number) => pending.has(number)))
      .filter((numbers) => numbers.length > 0);
    let excess = left.flat().length - KEPT;
    const taken: number[] = [];
    while (excess > 0) {
      const oldest = left.shift() ?? [];
      excess -= oldest.length;
      taken.push(...oldest);
    }
    this.#finished = left;
    return taken.flatMap((number) => pending.get(number) ?? []);
  }

  /** The last created first: a job goes before its agent. */
  async #remove(entries: readonly JournalEntry[]): Promise<void> {
    const { contract, target, mayRemove } = this.#tools;
    const kinds = new Set(entries.map(({ remove }) => remove).toReversed());
    for (const operation of [...kinds].flatMap((kind) => contract.operation(kind) ?? [])) {
      if (!mayRemove(operation)) continue;
      const own = entries.filter(({ remove }) => remove === operation.id);
      await Promise.all(
        own.map(async ({ id, idName }) => {
          if (id !== undefined) await target.send({ operation, path: { [idName]: id } }).catch(ignoreRefusal);
        }),
      );
    }
  }
}

/** The clean-up tries again. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SendError)) throw error;
}
