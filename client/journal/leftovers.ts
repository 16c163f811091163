import { setTimeout as delay } from 'node:timers/promises';
import { eachConcurrently } from '../../spec/each-concurrently.ts';
import { groupBy } from '../../spec/group-by.ts';
import { isObject } from '../../spec/index.ts';
import { idMember } from '../../spec/id-member.ts';
import { isUuid } from '../../spec/uuid.ts';
import type { Contract, Json, JsonObject } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import type { JournalEntry } from './entries.ts';
import { listItems, searchItems } from './list-items.ts';
import type { ListedItems } from './list-items.ts';
import type { LeftJournal } from './read-journals.ts';

export interface Leftover {
  readonly journal: LeftJournal;
  readonly entry: JournalEntry;
  /** Ids to remove; several if the deployment created the item more than once. */
  ids: readonly string[];
  /** All ids that it ever had, in lower case. */
  readonly known: Set<string>;
  /** Why it was not removed. */
  reason?: string;
  status?: number | undefined;
  /** True where its removal was served, and its list still shows it: the other forms are tried first then. */
  isStillListed?: boolean;
  /** Those of the ids that were brought into another state, so that they might be removed. */
  released?: readonly string[];
  /** True where every removal was answered with not found. */
  isGone?: boolean;
  /** True where its id may be that of another item: it is not removed. */
  isDoubtful?: true;
  /** Undefined while it is not finished. */
  done?: 'removed' | 'refused';
}

type Recorded = Pick<Leftover, 'journal' | 'entry'>;

export interface CleanUpWork {
  readonly target: Target;
  readonly contract: Contract;
  readonly settleMs: number;
  readonly release: ((remove: string, id: string) => Promise<boolean>) | undefined;
  /** Requests in a row without a response, or whose token was refused. */
  unanswered: number;
  /** Why the last of them removed nothing, if a response states it. */
  stopped?: string | undefined;
}

/** Lists that are read at the same time: each may be long. */
const LISTS_AT_ONCE = 4;

export function undone(leftovers: readonly Leftover[]): readonly Leftover[] {
  return leftovers.filter(({ done }) => done === undefined);
}

function member(item: JsonObject, name: string): Json | undefined {
  const key = Object.keys(item).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : item[key];
}

function containsWord(text: Json, word: string): boolean {
  if (typeof text !== 'string') return false;
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  const around = [text[at - 1], text[at + word.length]];
  return at >= 0 && around.every((char) => char === undefined || !/[a-z0-9]/i.test(char));
}

/**
 * True where the item's name contains the tag as a word, or where an e-mail address begins with it; an item without a name may have it
 * in any text, but not in nested ones, except those of its `attributes` (JSON:API).
 */
function hasTag(item: Json, tag: string): boolean {
  if (!isObject(item)) return false;
  const attributes = member(item, 'attributes');
  if (isObject(attributes) && hasTag(attributes, tag)) return true;
  const isAddress = (value: Json): boolean =>
    typeof value === 'string' && value.toLowerCase().startsWith(`${tag.toLowerCase()}@`);
  if (tag !== '' && Object.values(item).some(isAddress)) return true;
  const name = member(item, 'name');
  return (typeof name === 'string' ? [name] : Object.values(item)).some((value) => containsWord(value, tag));
}

export function idOf(item: Json, { idName, create }: JournalEntry): string | undefined {
  const name = isObject(item) ? idMember(item, idName, create) : undefined;
  const id = isObject(item) && name !== undefined ? item[name] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** The beginning of the tags of a run, which differ in their last word only. */
function stemOf({ tag }: JournalEntry): string {
  return tag.replace(/-[^-]*$/, '').toLowerCase();
}

/** True for an id that no other item gets: a uuid, or a name of the run. */
export function isOnlyIts(entry: JournalEntry, id: string): boolean {
  const stem = stemOf(entry);
  return (stem !== '' && id.toLowerCase().includes(stem)) || isUuid(id);
}

/** True where an item shows a name of the run, as at first or as an update has changed it. */
export function isOwn(item: Json, { entry, journal }: Recorded): boolean {
  const stem = stemOf(entry) || `assay-${journal.header.runId}`.toLowerCase();
  return JSON.stringify(item).toLowerCase().includes(stem);
}

/** Ids of the items that carry the entry's tag or one of its known ids. */
function idsOf(leftover: Leftover, items: readonly Json[]): readonly string[] {
  const { entry, ids } = leftover;
  const known = new Set(ids.map((id) => id.toLowerCase()));
  const found = items.flatMap((item) => {
    const id = idOf(item, entry);
    const isKnown = id !== undefined && known.has(id.toLowerCase());
    const isIts =
      (entry.tag !== '' && hasTag(item, entry.tag)) ||
      (isKnown && (entry.tag === '' || isOnlyIts(entry, id) || isOwn(item, leftover)));
    return isIts && id !== undefined ? [id] : [];
  });
  return [...new Set(found)];
}

/** Reads the list of each leftover, each list once. */
export async function eachInItsList(
  { target, contract }: CleanUpWork,
  leftovers: readonly Leftover[],
  visit: (leftover: Leftover, listed: ListedItems) => void,
): Promise<void> {
  const byList = [...groupBy(leftovers, ({ entry }) => entry.list)];
  await eachConcurrently(LISTS_AT_ONCE, byList, async ([list, group]) => {
    const operation = list === undefined ? undefined : contract.operation(list);
    const listed = operation
      ? await listItems(target, operation)
      : { items: [], incomplete: 'its id is unknown, and no operation lists such items' };
    for (const leftover of group) visit(leftover, listed);
  });
}

async function search({ target, contract }: CleanUpWork, leftovers: readonly Leftover[]): Promise<void> {
  await eachConcurrently(LISTS_AT_ONCE, leftovers, async (leftover) => {
    const { list, tag } = leftover.entry;
    const operation = list === undefined ? undefined : contract.operation(list);
    if (operation) leftover.ids = idsOf(leftover, await searchItems(target, operation, tag));
  });
}

/** Reasons for an item created without a name of the run, without and with an id in the response. */
const UNKNOWN = 'created without a name of this run, so it was not found';
const UNCERTAIN = 'created without a name of this run: the response does not tell a new item from an existing one';

/** Reason for an item whose creation was answered with a server error, or not at all. */
const UNSEEN = 'no response says whether it was created, and no operation lists such items';

/** Looks for an item whose creation was served, each after a longer wait: a list may show it late. */
const MOST_LOOKS = 3;

/** Finds items with an unknown id by their tag. Others that are not found after the settle time were never created. */
export async function locateLeftovers(work: CleanUpWork, leftovers: readonly Leftover[]): Promise<void> {
  const unknown = () => undone(leftovers).filter(({ ids, reason }) => ids.length === 0 && reason === undefined);
  const searchAll = (last: boolean) =>
    eachInItsList(work, unknown(), (leftover, { items, incomplete }) => {
      leftover.ids = idsOf(leftover, items);
      if (leftover.ids.length > 0) return;
      const { list, shownId } = leftover.entry;
      if (list === undefined && shownId !== undefined) leftover.reason = UNCERTAIN;
      else if (list === undefined && leftover.entry.isUnnamed !== true) leftover.reason = UNSEEN;
      else if (incomplete !== undefined) leftover.reason = incomplete;
      else if (last && leftover.entry.isUnnamed === true) leftover.reason = shownId === undefined ? UNKNOWN : UNCERTAIN;
      else if (last) leftover.done = 'refused';
    });
  await searchAll(false);
  for (let look = 1; unknown().length > 0; look += 1) {
    await delay(look * work.settleMs);
    await search(work, unknown());
    await searchAll(look === MOST_LOOKS || !unknown().some(({ entry }) => entry.isServed === true));
  }
}

/** Looks again: a list that shows only so many items shows others once some are removed. True if there are any. */
export async function locateAgain(work: CleanUpWork, leftovers: readonly Leftover[]): Promise<boolean> {
  const missing = leftovers.filter(({ done }) => done === 'refused');
  await eachInItsList(work, missing, (leftover, { items }) => {
    leftover.ids = idsOf(leftover, items);
    if (leftover.ids.length > 0) delete leftover.done;
  });
  return missing.some(({ done }) => done === undefined);
}

/** True for an item that has the tag, or the id if an update has given it another name. */
function isIts(item: Json, entry: JournalEntry): boolean {
  const { id, tag } = entry;
  return (
    (tag !== '' && hasTag(item, tag)) || (id !== undefined && idOf(item, entry)?.toLowerCase() === id.toLowerCase())
  );
}

function stemsOf(entries: readonly Recorded[]): readonly string[] {
  return [...new Set(entries.map(({ entry }) => stemOf(entry)))].filter(Boolean);
}

/**
 * Items whose name begins as those of the run and that no entry explains: requests created them that should have been refused. The
 * name of somebody's copy may contain such a name, and does not begin so.
 */
function unexplained(own: readonly Json[], entries: readonly Recorded[]): readonly Leftover[] {
  const stems = stemsOf(entries);
  const isNamed = (item: Json): boolean => {
    const name = isObject(item) ? member(item, 'name') : undefined;
    return typeof name === 'string' && stems.some((stem) => name.toLowerCase().startsWith(`${stem}-`));
  };
  const [first] = entries;
  return own.flatMap((item) => {
    const id = first === undefined ? undefined : idOf(item, first.entry);
    if (first === undefined || id === undefined || !isNamed(item)) return [];
    if (entries.some(({ entry }) => isIts(item, entry))) return [];
    return [{ journal: first.journal, entry: { ...first.entry, number: 0, tag: '', id }, ids: [id], known: new Set() }];
  });
}

/** Puts entries back whose item is listed although its creation was refused or its removal served. Returns unexplained items. */
export async function reopenStored(work: CleanUpWork, journals: readonly LeftJournal[]): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  const all = journals.flatMap((journal) => {
    const { pending, refused, removed } = journal.ledger;
    return [pending, refused, removed].flatMap((each) => [...each.values()].map((entry) => ({ journal, entry })));
  });
  const isSettled = ({ journal: { ledger }, entry: { number } }: Recorded): boolean => !ledger.pending.has(number);
  await eachConcurrently(LISTS_AT_ONCE, [...groupBy(all, ({ entry }) => entry.list)], async ([id, group]) => {
    const list = id === undefined ? undefined : work.contract.operation(id);
    const settled = group.filter(isSettled);
    if (list === undefined || settled.length === 0) return;
    const { items } = await listItems(work.target, list);
    const [first] = group;
    const keyOf = (item: Json): string =>
      (first === undefined ? undefined : idOf(item, first.entry))?.toLowerCase() ?? '';
    const listed = new Map(items.map((item) => [keyOf(item), item]));
    const isListed = (id: string, recorded: Recorded): boolean => {
      const item = listed.get(id.toLowerCase());
      return item !== undefined && (isOnlyIts(recorded.entry, id) || isOwn(item, recorded));
    };
    const known = new Set(group.map(({ entry }) => entry.id?.toLowerCase()));
    // Both can be many, and few items are of these runs.
    const stems = stemsOf(group);
    const own = items.filter((item) => stems.some((stem) => JSON.stringify(item).toLowerCase().includes(stem)));
    found.push(...unexplained(own, group));
    // A body that was refused may have been sent again, and accepted: that entry finds its item by its id or tag.
    const others = own.filter((item) => !known.has(keyOf(item)));
    const sought = new Set(group.flatMap((each) => (isSettled(each) || each.entry.id ? [] : each.entry.tag)));
    for (const { journal, entry } of settled)
      if (
        (entry.id !== undefined && isListed(entry.id, { journal, entry })) ||
        (!sought.has(entry.tag) && others.some((item) => isIts(item, entry)))
      )
        journal.settle({ type: 'stored', number: entry.number });
  });
  return found;
}

async function stillListed(
  work: CleanUpWork,
  removed: readonly Leftover[],
): Promise<ReadonlyMap<Leftover, readonly string[]>> {
  const found = new Map<Leftover, readonly string[]>();
  // Several creations may have sent the same name.
  const owners = new Map(removed.flatMap((each) => [...each.known].map((id) => [id, each])));
  await eachInItsList(work, removed, (leftover, { items }) => {
    const isItsOwn = (id: string): boolean => (owners.get(id.toLowerCase()) ?? leftover) === leftover;
    const ids = idsOf(leftover, items).filter(isItsOwn);
    if (ids.length > 0) found.set(leftover, ids);
  });
  return found;
}

/** Reopens leftovers that were removed but are still listed after the settle time. */
export async function reopenListed(work: CleanUpWork, leftovers: readonly Leftover[]): Promise<void> {
  const hasRemoved = ({ done, known, ids }: Leftover): boolean => done === 'removed' || known.size > ids.length;
  const removed = leftovers.filter((each) => hasRemoved(each) && each.entry.list !== undefined);
  if (removed.length === 0 || work.unanswered > 0) return;
  const suspects = await stillListed(work, removed);
  if (suspects.size === 0) return;
  await delay(work.settleMs);
  for (const [leftover, ids] of await stillListed(work, [...suspects.keys()])) {
    const { list } = leftover.entry;
    leftover.ids = ids;
    for (const id of ids) leftover.known.add(id.toLowerCase());
    if (leftover.done === undefined) continue;
    delete leftover.done;
    leftover.isStillListed = true;
    delete leftover.status;
    const answer = leftover.isGone === true ? 'its removal was answered with not found' : 'its removal succeeded';
    leftover.reason = `${answer}, but ${list} still returns it`;
  }
}
