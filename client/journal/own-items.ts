import { eachConcurrently } from '../../spec/each-concurrently.ts';
import { preferredForm } from './list-items.ts';
import { eachInItsList, idOf, isOnlyIts, isOwn, undone } from './leftovers.ts';
import type { CleanUpWork, Leftover } from './leftovers.ts';

/** Reads at the same time; the client sends fewer if the target slows down. */
const AT_ONCE = 8;

const OTHER = 'another item may have this number now: neither a list nor a read shows it with a name of this run';

/**
 * Looks at each item that is known by a number before it is removed: numbers are given again, by a database that was filled anew too.
 * Items without a name of their run are left. `isEnding`: the run has just created them, so that what has no name is its own.
 */
export async function leaveOthers(work: CleanUpWork, leftovers: readonly Leftover[], isEnding: boolean): Promise<void> {
  const isCertain = ({ entry }: Leftover): boolean =>
    entry.id === undefined ||
    isOnlyIts(entry, entry.id) ||
    (isEnding && (entry.tag === '' || entry.isUnnamed === true));
  const doubtful = new Set(undone(leftovers).filter((each) => !isCertain(each)));
  await eachInItsList(work, [...doubtful], (leftover, { items }) => {
    const { entry } = leftover;
    const isIts = items.some(
      (item) => idOf(item, entry)?.toLowerCase() === entry.id?.toLowerCase() && isOwn(item, leftover),
    );
    if (isIts) doubtful.delete(leftover);
  });
  await eachConcurrently(AT_ONCE, [...doubtful], async (leftover) => {
    const why = await readItem(work, leftover);
    if (why === undefined) return;
    Object.assign(leftover, why, { isDoubtful: true });
    for (const id of leftover.ids) leftover.known.add(id.toLowerCase());
  });
}

/** Why an item may be that of another; undefined where a read shows that it is not, or that there is none. */
async function readItem(
  { target, contract }: CleanUpWork,
  leftover: Leftover,
): Promise<Pick<Leftover, 'reason' | 'status'> | undefined> {
  const { remove, form: name, idName, id = '', parents } = leftover.entry;
  const operation = contract.operation(`GET ${contract.operation(remove)?.path ?? ''}`);
  const form = operation && preferredForm(operation, name);
  if (operation === undefined || form === undefined) return { reason: OTHER };
  const { response, failure } = await target.send({ operation, form, path: { ...parents, [idName]: id } });
  if (response === undefined) return { reason: failure?.message ?? 'no response' };
  const { status, json = null } = response;
  if (status === 401) return { status, reason: 'the token is not accepted (401)' };
  return status === 404 || status === 410 || isOwn(json, leftover) ? undefined : { reason: OTHER };
}
