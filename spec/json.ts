export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** A JSON Schema in the 2020-12 dialect; descriptions in older dialects are converted when they are loaded. */
export type JsonSchema = boolean | JsonObject;

/** A string, number or boolean as text; empty for any other value. */
export function scalarText(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same object with other values. */
export function mapValues<V, R>(
  object: Readonly<Record<string, V>>,
  change: (value: V, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

/** A copy without some keys; the object itself if it has none of them. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(object, key))) return object;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** The JSON value of a text or of bytes in UTF-8; undefined where they are no JSON. */
export function parsedJson(source: string | Uint8Array): Json | undefined {
  try {
    return JSON.parse(typeof source === 'string' ? source : new TextDecoder().decode(source)) as Json;
  } catch {
    return undefined;
  }
}

/** Usual names of the array of items in a wrapper, by preference. */
const NAMES = ['data', 'items', 'results', 'value', 'values', 'content', 'records'];

/** Names of arrays that envelopes have beside their content. */
const NOTES: ReadonlySet<string> = new Set(['errors', 'messages', 'warnings']);

/** A list in JSON, and the names of the members that lead to it. */
export interface ListIn {
  readonly path: readonly string[];
  readonly items: readonly Json[];
}

/** The list that a JSON value is or wraps: by a usual name, as its only array, or in its only object with one, `levels` deep at most. */
export function listIn(json: Json | undefined, levels = 2): ListIn | undefined {
  if (Array.isArray(json)) return { path: [], items: json as readonly Json[] };
  if (!isObject(json) || levels === 0) return undefined;
  const members = Object.entries(json).filter(([key]) => !NOTES.has(key.toLowerCase()));
  const arrays = members.filter(([, value]) => Array.isArray(value));
  const usual = NAMES.flatMap((name) => arrays.filter(([key]) => key.toLowerCase() === name)).slice(0, 1);
  const chosen = arrays.length > 1 ? usual : arrays.length === 1 ? arrays : members;
  const found = chosen.flatMap(([name, value]) => {
    const { path, items } = listIn(value, levels - 1) ?? {};
    return path === undefined || items === undefined ? [] : [{ path: [name, ...path], items }];
  });
  return found.length === 1 ? found[0] : undefined;
}
