import { groupBy, undone } from './leftover.ts';
import type { CleanUpWork, Leftover } from './leftover.ts';
import { removeOne } from './remove.ts';

const AT_ONCE = 8;
const PASSES = 3;
const GIVE_UP_AFTER = 4;

async function removeLeftover(work: CleanUpWork, leftover: Leftover): Promise<void> {
  for (const id of leftover.ids) {
    if (work.unanswered >= GIVE_UP_AFTER) {
      leftover.reason ??= 'the target does not answer';
      return;
    }
    const removal = await removeOne(work.target, work.contract, leftover.entry, id);
    work.unanswered = !removal.gone && removal.lost ? work.unanswered + 1 : 0;
    if (!removal.gone) {
      leftover.reason = removal.reason;
      return;
    }
  }
  leftover.done = 'removed';
}

async function removeKind(work: CleanUpWork, kind: readonly Leftover[]): Promise<void> {
  const queue = undone(kind).filter(({ ids }) => ids.length > 0);
  let next = queue.length;
  const worker = async () => {
    for (let leftover = queue[--next]; leftover; leftover = queue[--next]) await removeLeftover(work, leftover);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/**
 * Removes all that have ids. Kinds whose first item came last go first, and within a kind the last item: what uses
 * goes before what is used. What is refused is tried again after the others.
 */
export async function removeAll(work: CleanUpWork, leftovers: readonly Leftover[]): Promise<void> {
  const kinds = [...groupBy(leftovers, ({ entry }) => entry.remove).values()].toReversed();
  for (let pass = 0; pass < PASSES && undone(leftovers).some(({ ids }) => ids.length > 0); pass += 1) {
    for (const kind of kinds) await removeKind(work, kind);
  }
}
