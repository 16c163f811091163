import type { Json, JsonObject } from '../spec/index.ts';
import { isObject } from '../spec/index.ts';

/** The items of a list: a bare array, or the only array of a wrapper. Undefined for anything else. */
export function itemsOf(json: Json | undefined): readonly Json[] | undefined {
  if (Array.isArray(json)) return json as readonly Json[];
  if (!isObject(json)) return undefined;
  const arrays = Object.values(json).filter((each): each is readonly Json[] => Array.isArray(each));
  return arrays.length === 1 ? arrays[0] : undefined;
}

/** Compares ids without regard to case, since deployments return uuids in either. */
export function sameId(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase();
}

/** The id of an item, in lower case: its `id`, or its only member whose name ends in `id`. */
export function idOf(item: Json | undefined): string | undefined {
  const id = idValue(item);
  return typeof id === 'string' ? id.toLowerCase() : undefined;
}

/** The id of an item for a path: a number or a text as it is, a uuid in lower case. */
export function spelledId(item: Json | undefined): string | undefined {
  const id = idValue(item);
  if (typeof id === 'number') return String(id);
  return isUuid(id) ? id.toLowerCase() : typeof id === 'string' && id !== '' ? id : undefined;
}

function idValue(item: Json | undefined): Json | undefined {
  if (!isObject(item)) return item;
  const key = Object.keys(item).find((each) => each.toLowerCase() === 'id') ?? onlyIdKey(item);
  return key === undefined ? undefined : item[key];
}

function onlyIdKey(item: JsonObject): string | undefined {
  const keys = Object.keys(item).filter((each) => /id$/i.test(each) && typeof item[each] === 'string');
  return keys.length === 1 ? keys[0] : undefined;
}

/** Ids of the items of a list, in its order. */
export function idsOf(json: Json | undefined): readonly string[] | undefined {
  const ids = itemsOf(json)?.map(idOf);
  return ids?.every((each) => each !== undefined) === true ? ids : undefined;
}

/** True where a string within the value contains `tag`, in either case. */
export function mentions(value: Json | undefined, tag: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(tag.toLowerCase());
  if (Array.isArray(value)) return value.some((each: Json) => mentions(each, tag));
  return isObject(value) && Object.values(value).some((each) => mentions(each, tag));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for a uuid in the usual form, in either case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Distinct values of a member over the items of a list. */
export function valuesOf(json: Json | undefined, key: string): readonly Json[] {
  const values = (itemsOf(json) ?? []).flatMap((item) =>
    isObject(item) && item[key] !== undefined ? [item[key]] : [],
  );
  return [...new Set(values)];
}

/** A member of an object; undefined for other values. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}
