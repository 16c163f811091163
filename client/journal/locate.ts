import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../../spec/index.ts';
import type { JournalEntry } from './entries.ts';
import { searchList } from './list-all.ts';
import { eachInItsList, undone } from './leftover.ts';
import type { CleanUpWork, Leftover } from './leftover.ts';
import { carriesTag, idOf, sameId } from './match.ts';

function idsWhere(
  items: readonly Json[],
  entry: JournalEntry,
  isOurs: (item: Json, id: string) => boolean,
): readonly string[] {
  return items.flatMap((item) => {
    const id = idOf(item, entry.idName);
    return id !== undefined && isOurs(item, id) ? [id] : [];
  });
}

async function search(work: CleanUpWork, leftovers: readonly Leftover[]): Promise<void> {
  for (const leftover of leftovers) {
    const { entry } = leftover;
    const list = entry.list === undefined ? undefined : work.contract.operation(entry.list);
    const items = list ? await searchList(work.target, list, entry.tag) : [];
    leftover.ids = idsWhere(items, entry, (item) => carriesTag(item, entry.tag));
  }
}

/** Finds what was sent but whose id never came, by its tag. What is not there after the settling time was never created. */
export async function locate(work: CleanUpWork, leftovers: readonly Leftover[]): Promise<void> {
  const look = (last: boolean) =>
    eachInItsList(work, unknown(), (leftover, { items, incomplete }) => {
      const { entry } = leftover;
      leftover.ids = idsWhere(items, entry, (item) => carriesTag(item, entry.tag));
      if (leftover.ids.length > 0) return;
      if (incomplete !== undefined) leftover.reason = incomplete;
      else if (last) leftover.done = 'refused';
    });
  const unknown = () => undone(leftovers).filter(({ ids, reason }) => ids.length === 0 && reason === undefined);
  if (unknown().length > 0) await look(false);
  if (unknown().length === 0) return;
  await delay(work.settleMs);
  await search(work, unknown());
  await look(true);
}

/** Those of the removed that their list still has, under an id of theirs or with their tag; with the ids it has them under. */
async function stillListed(
  work: CleanUpWork,
  removed: readonly Leftover[],
): Promise<ReadonlyMap<Leftover, readonly string[]>> {
  const there = new Map<Leftover, readonly string[]>();
  await eachInItsList(work, removed, (leftover, { items }) => {
    const { entry, ids } = leftover;
    const listed = idsWhere(
      items,
      entry,
      (item, id) => carriesTag(item, entry.tag) || ids.some((known) => sameId(known, id)),
    );
    if (listed.length > 0) there.set(leftover, listed);
  });
  return there;
}

/** Takes back the mark of those that were said to be removed and are not, once a change has had time to show. */
export async function reopenWhatIsStillThere(work: CleanUpWork, leftovers: readonly Leftover[]): Promise<void> {
  const removed = leftovers.filter(({ done, entry }) => done === 'removed' && entry.list !== undefined);
  if (removed.length === 0 || work.unanswered > 0) return;
  const suspects = await stillListed(work, removed);
  if (suspects.size === 0) return;
  await delay(work.settleMs);
  for (const [leftover, ids] of await stillListed(work, [...suspects.keys()])) {
    delete leftover.done;
    leftover.ids = ids;
    leftover.reason = `${leftover.entry.remove} said that it is gone, yet ${leftover.entry.list} still has it`;
  }
}
