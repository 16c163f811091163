import type { Exchange } from '../../spec/index.ts';
import { idsIn, idsInResponse, textOf } from './ids.ts';
import type { Origin } from './ids.ts';

/** With those that no read shows. */
const MOST_ITEMS = 12;

/** Enough to show another order, also where half of a list is lost; a curl line has room for so many creations. */
const OWN_ITEMS = 9;

/** Lists of many items are cut, all to the same ones: each of them has to be created first. */
export function withShortLists(steps: readonly Exchange[], origin?: Origin): readonly Exchange[] {
  const lists = steps.map(longList);
  const long = lists.filter((each) => each !== undefined);
  if (long.length === 0) return steps;
  const kept = new Set([...itemsToKeep(long, origin), ...strangers(steps, long)]);
  return steps.map((step, at) => {
    const list = lists[at];
    if (list === undefined) return step;
    const short = list.filter((item) => kept.has(keyOf(item))).slice(0, MOST_ITEMS);
    return { ...step, request: { ...step.request, body: Buffer.from(JSON.stringify(short)) } };
  });
}

/** Items that no read shows, where one shows the others: the list may be wrong because of them. */
function strangers(steps: readonly Exchange[], lists: readonly (readonly unknown[])[]): readonly string[] {
  const reads = steps.filter(({ request: { method } }) => method === 'GET');
  const shown = new Set(reads.flatMap(idsInResponse));
  const keys = lists.flat().map(keyOf);
  return keys.some((key) => shown.has(key)) ? keys.filter((key) => !shown.has(key)) : [];
}

const keyOf = (item: unknown): string => {
  const text = JSON.stringify(item);
  return idsIn(text)[0] ?? text;
};

function longList({ request: { body } }: Exchange): readonly unknown[] | undefined {
  if (body === undefined || idsIn(textOf(body)).length <= OWN_ITEMS) return undefined;
  const list = parsed(textOf(body));
  return Array.isArray(list) && list.length > OWN_ITEMS ? (list as readonly unknown[]) : undefined;
}

/** Of the run's own items those that changed places most: between two lists, or since they were created. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
