import type { Exchange, Json, Operation } from '../spec/index.ts';
import { isObject, isSuccess, listIn } from '../spec/index.ts';
import { idMember } from '../spec/id-member.ts';
import { isUuid } from '../spec/uuid.ts';

export { isUuid } from '../spec/uuid.ts';

/** True where the description shows the body of the response. */
export const isDescribed = ({ responses }: Operation): boolean => (responses[0]?.content.length ?? 0) > 0;

/** True where the status of a response may say that an item is new. */
export const tellsNew = ({ responses }: Operation): boolean =>
  responses.some(({ status }) => status === '201' || status === '202');

/** The items of a list, bare or in a wrapper. Undefined for anything else. */
export function itemsOf(json: Json | undefined): readonly Json[] | undefined {
  return listIn(json)?.items;
}

/**
 * The items of the list in a successful response; none where an empty list is answered with 204, or left out of its page. Undefined for other responses: the body of an error may hold a list too, of its causes.
 */
export function itemsIn(
  exchange: { readonly response?: Exchange['response'] | undefined } | undefined,
): readonly Json[] | undefined {
  const { response } = exchange ?? {};
  if (response === undefined || !isSuccess(response.status)) return undefined;
  if (response.status === 204) return [];
  return itemsOf(response.json) ?? (isEmptyPage(response.json) ? [] : undefined);
}

/** True for a page without a list that its own numbers say to be empty: nothing is counted, or the page is past the last item. */
function isEmptyPage(json: Json | undefined): boolean {
  if (!isObject(json)) return false;
  const hasContent = Object.values(json).some((value) => typeof value === 'string' || typeof (value ?? 0) === 'object');
  const { totalCount: total, pageSize: size, currentPage: page } = json;
  if (hasContent || typeof total !== 'number') return false;
  return total === 0 || (typeof size === 'number' && typeof page === 'number' && (page - 1) * size >= total);
}

/** Compares ids without regard to case: deployments return uuids in upper or lower case. */
export function sameId(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase();
}

/** The id of an item, in lower case: its `id`, or else the member with the name of the path parameter that takes it, or one that was learned. */
export function idOf(item: Json | undefined, idName?: string): string | undefined {
  const id = idValue(item, idName);
  return typeof id === 'string' ? id.toLowerCase() : undefined;
}

/** False for JSON in a text, which is no id but a whole body in quotes. */
export const isIdText = (id: Json | undefined): id is string => typeof id === 'string' && /^[^{[]/u.test(id);

/** The id of an item for a path: a number or a text as it is, a uuid in lower case. */
export function idForPath(item: Json | undefined, idName?: string): string | undefined {
  const id = idValue(item, idName);
  // A larger number has lost digits: it would name another item.
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : undefined;
  return isUuid(id) ? id.toLowerCase() : isIdText(id) ? id : undefined;
}

/** Members that were seen to hold the ids of a resource whose items have no `id`. */
const idMembers = new Set<string>();

/** Learns from a listed item of a collection which member holds the ids. */
export function learnIdMember(item: Json | undefined, idName: string, collection: string): void {
  const name = isObject(item) && idOf(item, idName) === undefined ? idMember(item, idName, collection) : undefined;
  if (name !== undefined) idMembers.add(name);
}

function idValue(item: Json | undefined, idName?: string): Json | undefined {
  if (!isObject(item)) return item;
  const name = idMember(item, idName) ?? [...idMembers].find((each) => Object.hasOwn(item, each));
  return name === undefined ? undefined : item[name];
}

/** The item with this id in a response: the response itself, or what a wrapper holds. */
export function itemIn(json: Json | undefined, id: string): Json | undefined {
  if (!isObject(json) || idOf(json) !== undefined) return json;
  return Object.values(json).find((each) => isObject(each) && sameId(idOf(each), id)) ?? json;
}

/** Ids of the items of a list, in its order. */
export function idsOf(json: Json | undefined, idName?: string): readonly string[] | undefined {
  const ids = itemsOf(json)?.map((item) => idOf(item, idName));
  return ids?.every((each) => each !== undefined) === true ? ids : undefined;
}

/** The first id that two items have. */
export function repeatedId(items: readonly Json[]): string | undefined {
  const ids = items.flatMap((item) => (isObject(item) ? (idOf(item) ?? []) : []));
  return ids.find((id, index) => ids.indexOf(id) !== index);
}

/** Identifies an item of a list: its id, or its content where it has none. */
export function keyOf(item: Json, idName?: string): string {
  return idOf(item, idName) ?? canonical(item);
}

/** The keys of the items of a list, in its order. */
export function keysOf(json: Json | undefined, idName?: string): readonly string[] | undefined {
  return itemsOf(json)?.map((item) => keyOf(item, idName));
}

/** The keys of the items of the list in a successful response, as {@link itemsIn} finds it. */
export function keysIn(exchange: Parameters<typeof itemsIn>[0], idName?: string): readonly string[] | undefined {
  return itemsIn(exchange)?.map((item) => keyOf(item, idName));
}

/** Numbers equal keys of items without ids, which may have equal contents: the second one is another item. */
export function numberDuplicates(keys: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return keys.map((key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return key.startsWith('{') && count > 1 ? `${key} (${count})` : key;
  });
}

/** JSON text that does not depend on the order of members, the case of uuids, the offset of times, and whether null is absent. */
export function canonical(value: Json): string {
  return JSON.stringify(value, (_key, each: Json) => {
    if (!isObject(each)) return isUuid(each) ? each.toLowerCase() : (asInstant(each) ?? each);
    const members = Object.entries(each).filter(([, member]) => member !== null);
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** True where a string within the value contains `tag`, without regard to case. */
export function mentions(value: Json | undefined, tag: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(tag.toLowerCase());
  if (Array.isArray(value)) return value.some((each: Json) => mentions(each, tag));
  return isObject(value) && Object.values(value).some((each) => mentions(each, tag));
}

/**
 * Keys of the items of a list that show `tag` in the same texts as the item with `key` does, or the first item that shows it. Several
 * are what one creation made; a copy that somebody else makes has another name.
 */
export function keysShowing(tag: string, items: readonly Json[], key: string, idName?: string): readonly string[] {
  const textsOf = (value: Json): readonly string[] => {
    if (typeof value === 'string') return mentions(value, tag) ? [value] : [];
    return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap((each: Json) => textsOf(each)) : [];
  };
  const showing = items.filter((each) => mentions(each, tag));
  const own = showing.find((each) => keyOf(each, idName) === key) ?? showing[0] ?? null;
  const texts = JSON.stringify(textsOf(own).toSorted());
  const same = showing.filter((each) => JSON.stringify(textsOf(each).toSorted()) === texts);
  return [...new Set(same.map((each) => keyOf(each, idName)))];
}

/** A date and time: the fraction of a second, and the offset. */
export const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/i;

/** A time with an offset as the same instant in UTC; undefined for other values. */
export function asInstant(value: Json | undefined): string | undefined {
  const match = typeof value === 'string' ? TIME.exec(value) : null;
  const at = match?.[2] === undefined ? NaN : Date.parse(match[0]);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Distinct values of a member over the items of a list. */
export function valuesOf(json: Json | undefined, key: string): readonly Json[] {
  const values = (itemsOf(json) ?? []).flatMap((item) =>
    isObject(item) && item[key] !== undefined ? [item[key]] : [],
  );
  return [...new Set(values)];
}

/** A member of an object whatever the case of its name: the fields of most models are not documented. */
export function memberLike(value: Json | undefined, name: string): Json | undefined {
  return Object.entries(isObject(value) ? value : {}).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** A member of an object; undefined for other values. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}
