import type { Json, JsonObject } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';

function member(item: JsonObject, name: string): Json | undefined {
  const key = Object.keys(item).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : item[key];
}

function holds(text: Json | undefined, tag: string): boolean {
  if (typeof text !== 'string') return false;
  const at = text.toLowerCase().indexOf(tag.toLowerCase());
  if (at < 0) return false;
  const around = [text[at - 1], text[at + tag.length]];
  return around.every((char) => char === undefined || !/[a-z0-9]/i.test(char));
}

/**
 * True where the item's name holds the tag as a whole word; where items have no name, one of their texts must. Texts
 * further inside don't count: what belongs to others may mention what is ours.
 */
export function carriesTag(item: Json, tag: string): boolean {
  if (!isObject(item)) return false;
  const name = member(item, 'name');
  if (typeof name === 'string') return holds(name, tag);
  return Object.values(item).some((value) => holds(value, tag));
}

/** The id of a listed item: its `id`, or what is called like the path parameter that takes it. */
export function idOf(item: Json, idName: string): string | undefined {
  if (!isObject(item)) return undefined;
  const id = member(item, 'id') ?? member(item, idName.toLowerCase());
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Ids are compared without regard to case: deployments spell uuids either way. */
export function sameId(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
