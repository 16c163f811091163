import { parsedJson } from '../../spec/index.ts';
import type { Exchange } from '../../spec/index.ts';
import { idsIn, idsInResponse, bodyText } from './ids.ts';
import type { Origin } from './ids.ts';
import { filledMembers } from './setup.ts';

/** Including items that no read returned. */
const MOST_ITEMS = 12;

/** Enough to show a wrong order even if half of a list is lost, and few enough for the creations in one curl line. */
const OWN_ITEMS = 9;

/** Shortens long lists to the same items, because each item must be created first. */
export function withShortLists(steps: readonly Exchange[], origin?: Origin): readonly Exchange[] {
  const lists = steps.map(longList);
  const long = lists.filter((each) => each !== undefined);
  if (long.length === 0) return steps;
  const kept = new Set([
    ...itemsToKeep(long, origin),
    ...strangers(steps, long),
    ...long.flatMap((list) => unlike(list, origin)),
  ]);
  return steps.map((step, at) => {
    const list = lists[at];
    if (list === undefined) return step;
    const short = list.filter((item) => kept.has(keyOf(item))).slice(0, MOST_ITEMS);
    return { ...step, request: { ...step.request, body: Buffer.from(JSON.stringify(short)) } };
  });
}

/** True if a line for these steps has shorter lists than they have. */
export function shortensLists(steps: readonly Exchange[], origin?: Origin): boolean {
  return withShortLists(steps, origin).some((short, at) => gapIn(short, steps[at]) !== undefined);
}

/**
 * Position in a shortened list at which most of what was left out of the whole list belongs; undefined where nothing was, or where the
 * `read` after it is one of another list. Where that lacks the end of the shortened list, the position before that end: it may be lost
 * because of what is before it.
 */
export function gapIn(short: Exchange, whole: Exchange | undefined, read?: Exchange): number | undefined {
  const [few, all] = [short, whole].map((each) => parsedJson(bodyText(each?.request.body)));
  if (!Array.isArray(few) || !Array.isArray(all) || few.length >= all.length) return undefined;
  if (read?.request.method === 'GET' && !readsWhatSets(read, short)) return undefined;
  const keys = few.map(keyOf);
  const left = Array.from({ length: keys.length + 1 }, () => 0);
  const shown = new Set(read === undefined ? [] : idsInResponse(read));
  const kept = keys.findLastIndex((key) => shown.has(key)) + 1;
  if (kept > 0 && kept < keys.length) return kept;
  let at = 0;
  for (const item of all) {
    if (keyOf(item) === keys[at]) at += 1;
    else left[at] = (left[at] ?? 0) + 1;
  }
  return left.indexOf(Math.max(...left));
}

/** True for a read of the list that a request sets as a whole: its path is that of the request but for the last part. */
function readsWhatSets(read: Exchange, set: Exchange): boolean {
  const [beside, parent] = [read, set].map(({ operation }) => operation.replace(/^\S+ /, '').replace(/[^/]*$/, ''));
  return read.request.method === 'GET' && beside === parent;
}

/** Items that no read returned although one returned the others: they may be the cause. */
function strangers(steps: readonly Exchange[], lists: readonly (readonly unknown[])[]): readonly string[] {
  const isSet = (each: Exchange): boolean => longList(each) !== undefined;
  const reads = steps.filter((each) => steps.some((set) => isSet(set) && readsWhatSets(each, set)));
  const shown = new Set(reads.flatMap(idsInResponse));
  const keys = lists.flat().map(keyOf);
  return keys.some((key) => shown.has(key)) ? keys.filter((key) => !shown.has(key)) : [];
}

/** Most entries that are kept because they are unlike the others. */
const MOST_UNLIKE = 2;

/** The entries that can be created again, if there are few, that lack a member that most have: they may be the cause. */
function unlike(list: readonly unknown[], origin?: Origin): readonly string[] {
  const shapes = list.map(filledMembers);
  const count = (shape: string | undefined): number => shapes.filter((each) => each === shape).length;
  return list
    .filter((_, at) => count(shapes[at]) <= MOST_UNLIKE)
    .map(keyOf)
    .filter((key) => origin?.(key) !== undefined)
    .slice(0, MOST_UNLIKE);
}

const keyOf = (item: unknown): string => {
  const text = JSON.stringify(item);
  return idsIn(text)[0] ?? text;
};

function longList({ request: { body } }: Exchange): readonly unknown[] | undefined {
  if (body === undefined || idsIn(bodyText(body)).length <= OWN_ITEMS) return undefined;
  const list = parsedJson(bodyText(body));
  return Array.isArray(list) && list.length > OWN_ITEMS ? (list as readonly unknown[]) : undefined;
}

/** The run's own items that moved most, between two lists or compared with their creation. */
function itemsToKeep([first = [], ...others]: readonly (readonly unknown[])[], origin?: Origin): readonly string[] {
  const keys = first.map(keyOf);
  const ageOf = (key: string): number => origin?.(key)?.sentAt ?? 0;
  const last = others.at(-1)?.map(keyOf) ?? keys.toSorted((a, b) => ageOf(a) - ageOf(b));
  const places = new Map(last.map((key, place) => [key, place]));
  const own = keys.filter((key) => places.has(key) && origin?.(key) !== undefined);
  const crossings = (key: string, at: number): number =>
    own.filter((other, place) => place < at !== (places.get(other) ?? 0) < (places.get(key) ?? 0)).length;
  const moved = own.map((key, at) => ({ key, moved: crossings(key, at) })).toSorted((a, b) => b.moved - a.moved);
  return own.length > 1 ? moved.slice(0, OWN_ITEMS).map(({ key }) => key) : keys.slice(0, MOST_ITEMS);
}
