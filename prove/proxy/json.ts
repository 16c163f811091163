import { mapValues } from '../../spec/json.ts';

export type JsonMap = Record<string, unknown>;

/** The value if it is an object, or else an empty object. */
export function asObject(value: unknown): JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMap) : {};
}

/** The value if it is a list, or else an empty list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The items of a list response, bare or in a wrapper that holds one array. */
export function items(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return asList(Object.values(asObject(value)).find((member) => Array.isArray(member)));
}

/** The same list response with other items, in the same wrapper. */
export function withItems(value: unknown, list: readonly unknown[]): unknown {
  if (Array.isArray(value)) return list;
  return mapValues(asObject(value), (member) => (Array.isArray(member) ? list : member));
}

/** The member `id` in lower case; empty if there is none. */
export function idOf(value: unknown): string {
  const id = asObject(value)['id'];
  return typeof id === 'string' ? id.toLowerCase() : '';
}
