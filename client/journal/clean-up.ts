import type { Contract, EffectsRecord, Json } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import { amountOf } from '../../spec/count.ts';
import { defined } from '../../spec/defined.ts';
import { locateLeftovers, locateAgain, reopenListed, reopenStored, undone } from './leftovers.ts';
import type { CleanUpWork, Leftover } from './leftovers.ts';
import { leaveOthers } from './own-items.ts';
import { claim } from '../../spec/owner.ts';
import type { LeftJournal } from './read-journals.ts';
import { removeAll } from './remove.ts';

export interface CleanUpOptions {
  /** Restores global state from the first value saved under a name. Returns the reason if it failed, else undefined. */
  readonly restore?: (name: string, value: Json) => Promise<string | undefined>;
  /** Brings an item whose removal conflicts with its state into a removable state; false if none is known. */
  readonly release?: (remove: string, id: string) => Promise<boolean>;
  /** How long a change may take to become visible, in milliseconds (1000). */
  readonly settleMs?: number;
  /** Set where only the process of the journals gives items names of these runs: those that no entry explains are removed, too. */
  readonly ownsNames?: boolean;
  /** What cannot be removed or restored is not listed again, unless the token is not accepted. */
  readonly forgets?: boolean;
}

export type CleanUpReport = Omit<EffectsRecord, 'type'> & {
  /** Of those removed, how many this clean-up removed; the run had removed the others. */
  readonly cleaned: number;
  /** How many the runs had not removed, and were not there: gone in the meantime, or never created. */
  readonly gone: number;
  /** Of those left, how many are not listed again. */
  readonly forgotten: number;
  /** Names of the global state that was restored. */
  readonly restored: readonly string[];
};

type Left = CleanUpReport['left'];

function leftoversOf(journals: readonly LeftJournal[]): readonly Leftover[] {
  return journals.flatMap((journal) =>
    [...journal.ledger.pending.values()].map((entry) => ({
      journal,
      entry,
      ids: entry.id === undefined ? [] : [entry.id],
      known: new Set(),
    })),
  );
}

/** Reopens items that were created, and that no list shows: nobody knows whether they are there. */
function reopenHidden(leftovers: readonly Leftover[]): void {
  for (const leftover of leftovers) {
    const { isServed, list } = leftover.entry;
    if (leftover.done !== 'refused' || isServed !== true || list === undefined) continue;
    delete leftover.done;
    leftover.reason = `created, but ${list} does not show it`;
  }
}

async function removeLeftovers(work: CleanUpWork, leftovers: readonly Leftover[], ownsNames: boolean): Promise<Left> {
  await locateLeftovers(work, leftovers);
  await leaveOthers(work, leftovers, ownsNames);
  await removeAll(work, leftovers);
  while (leftovers.some(({ done }) => done === 'removed') && (await locateAgain(work, leftovers)))
    await removeAll(work, leftovers);
  await reopenListed(work, leftovers);
  if (undone(leftovers).some(({ ids }) => ids.length > 0)) {
    await removeAll(work, leftovers);
    await reopenListed(work, leftovers);
  }
  // A later clean-up that does not find them either gives up.
  if (ownsNames) reopenHidden(leftovers);
  for (const { journal, entry, ids, done } of leftovers) {
    if (done !== undefined) journal.settle({ type: done, number: entry.number });
    else if (entry.amount !== undefined && ids.length > 0)
      journal.settle({ type: 'amount', number: entry.number, amount: ids.length });
  }
  return leftovers.flatMap(leftOf);
}

/** An entry can stand for several items: how many more than the ledger counts for it. */
function othersOf({ known, done, entry: { amount = 0 } }: Leftover): number {
  const counted = done === 'refused' ? 0 : 1;
  return Math.max(amount, known.size, counted) - counted;
}

const NOT_FOUND = 'created without a name of this run, or removed in a way that is not known: it was not found';

/** True if the list of the items could be read: what it does not show is not looked for again. */
function wasSought({ done, ids }: Leftover): boolean {
  return done !== undefined || ids.length > 0;
}

function missingOf(leftover: Leftover): number {
  const { entry, known } = leftover;
  const { amount = 0 } = entry;
  return Math.max(wasSought(leftover) ? 0 : 1, amount - known.size);
}

function cleanedOf({ known, ids, done, isGone }: Leftover): number {
  return isGone === true ? 0 : known.size - (done === undefined ? ids.length : 0);
}

function goneOf({ known, done, isGone }: Leftover): number {
  if (done === undefined) return 0;
  return isGone === true ? known.size : known.size === 0 ? 1 : 0;
}

/** What is left of an entry: items with ids, and the number of those that were not found. */
function leftOf(leftover: Leftover): Left {
  const { entry, ids, done } = leftover;
  const { create: kind, tag, shownId } = entry;
  const { reason, status }: Partial<Leftover> = done === undefined ? leftover : {};
  const why = { reason: reason ?? 'not removed', ...defined({ status }) };
  const missing = missingOf(leftover);
  const unknown = { kind, id: shownId ?? (tag === '' ? 'id unknown' : tag), ...(missing > 1 && { count: missing }) };
  return [
    ...(done === undefined ? ids : []).map((id) => ({ kind, id, ...why })),
    ...(missing > 0 ? [{ ...unknown, ...(wasSought(leftover) ? { reason: NOT_FOUND } : why) }] : []),
  ];
}

/** Settles what is left, so that no later clean-up looks for it; a token that is not accepted says nothing about the items. */
function forget(journals: readonly LeftJournal[], leftovers: readonly Leftover[]): number {
  if (leftovers.some(({ status }) => status === 401)) return 0;
  let forgotten = 0;
  for (const leftover of undone(leftovers)) {
    leftover.journal.settle({ type: 'forgotten', number: leftover.entry.number });
    forgotten += leftover.ids.length > 0 ? leftover.ids.length : missingOf(leftover);
  }
  for (const journal of journals)
    for (const name of journal.ledger.globals.keys()) {
      journal.settle({ type: 'restored', name });
      forgotten += 1;
    }
  return forgotten;
}

async function restoreAll(
  journals: readonly LeftJournal[],
  restore: CleanUpOptions['restore'],
): Promise<{ restored: readonly string[]; left: Left }> {
  const restored = new Set<string>();
  const left: Left[number][] = [];
  for (const journal of journals) {
    for (const [name, value] of journal.ledger.globals) {
      const done = restored.has(name);
      const reason = done ? undefined : restore ? await restore(name, value) : 'Assay cannot restore it';
      if (reason === undefined) {
        restored.add(name);
        journal.settle({ type: 'restored', name });
      } else left.push({ kind: name, id: journal.header.runId, reason });
    }
  }
  return { restored: [...restored], left };
}

async function cleanUpAfter(
  work: CleanUpWork,
  journals: readonly LeftJournal[],
  options: CleanUpOptions,
): Promise<CleanUpReport> {
  const found = await reopenStored(work, journals);
  const unexplained = options.ownsNames === true ? found : [];
  const leftovers = [...leftoversOf(journals), ...unexplained];
  const left = await removeLeftovers(work, leftovers, options.ownsNames === true);
  const globals = await restoreAll(journals, options.restore);
  const forgotten = options.forgets === true ? forget(journals, leftovers) : 0;
  for (const journal of journals) journal.finish();
  const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);
  const sought = leftovers.filter(wasSought);
  const created = sum(journals.map(({ ledger }) => ledger.created)) + unexplained.length + sum(leftovers.map(othersOf));
  return {
    created,
    removed: created - amountOf(left),
    cleaned: sum(leftovers.map(cleanedOf)),
    gone: sum(leftovers.map(goneOf)),
    left: [...left, ...globals.left],
    forgotten: forgotten + sum(sought.map(missingOf)),
    restored: globals.restored,
  };
}

/**
 * Removes exactly what the runs of the journals created: by id, or by tag if no response contained the id or if the creation
 * was refused and stored nevertheless, and with `ownsNames` by the names of the run. Nothing else is ever deleted. Then restores
 * global state. Skips journals that another process is cleaning up. Items that cannot be removed stay in their journal.
 */
export async function cleanUp(
  target: Target,
  contract: Contract,
  journals: readonly LeftJournal[],
  options: CleanUpOptions,
): Promise<CleanUpReport> {
  const claims = journals.flatMap((journal) => {
    const release = claim(journal.path);
    return release ? [{ journal, release }] : [];
  });
  try {
    const work: CleanUpWork = {
      target,
      contract,
      settleMs: options.settleMs ?? 1_000,
      unanswered: 0,
      release: options.release,
    };
    return await cleanUpAfter(
      work,
      claims.map(({ journal }) => journal),
      options,
    );
  } finally {
    for (const { release } of claims) release();
  }
}
