import type { Json, JsonObject } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';

/** What is known of a value: free of ids, times and names, so that it stays the same from run to run. */
export interface Shape {
  /** Kinds of value that were seen, sorted; `nothing` for no body. */
  readonly types: readonly string[];
  /** All values that were seen, where they are few words or flags. */
  readonly values?: readonly (string | boolean)[];
  /** Seen in some objects only. */
  readonly optional?: true;
  readonly members?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

/** Most values of what is still taken for an enumeration. */
const FEW = 8;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
/** As enumerations are spelt; words of another spelling are mostly data. */
const WORD = /^[A-Z][A-Za-z]{1,29}$/;

/** The shape of one value; undefined stands for no value at all. */
export function shapeOf(value: Json | undefined): Shape {
  if (value === undefined) return { types: ['nothing'] };
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(shapeOf);
    return items.length === 0 ? { types: ['list'] } : { types: ['list'], items: items.reduce(merge) };
  }
  if (isObject(value)) return { types: ['object'], members: membersOf(value) };
  if (typeof value === 'string') return textShape(value);
  if (typeof value === 'number') return { types: [Number.isInteger(value) ? 'integer' : 'number'] };
  return typeof value === 'boolean' ? { types: ['boolean'], values: [value] } : { types: ['null'] };
}

function membersOf(value: JsonObject): Record<string, Shape> {
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, shapeOf(value[key])]),
  );
}

function textShape(text: string): Shape {
  if (UUID.test(text)) return { types: ['uuid'] };
  if (TIME.test(text)) return { types: ['time'] };
  return WORD.test(text) ? { types: ['text'], values: [text] } : { types: ['text'] };
}

/** What two values have in common: both their types, members that one lacks being optional. */
export function merge(a: Shape, b: Shape): Shape {
  const types = [...new Set([...a.types, ...b.types])].sort();
  const values = valuesOf(a, b);
  const members =
    a.members === undefined || b.members === undefined ? (a.members ?? b.members) : mergeMembers(a.members, b.members);
  const items = a.items === undefined || b.items === undefined ? (a.items ?? b.items) : merge(a.items, b.items);
  return {
    types,
    ...(values === undefined ? {} : { values }),
    ...(a.optional === true || b.optional === true ? { optional: true as const } : {}),
    ...(members === undefined ? {} : { members }),
    ...(items === undefined ? {} : { items }),
  };
}

/** True for kinds whose values may be listed. */
function isListed(type: string): boolean {
  return type === 'text' || type === 'boolean';
}

function valuesOf(a: Shape, b: Shape): readonly (string | boolean)[] | undefined {
  const open = [a, b].some((each) => each.types.some(isListed) && each.values === undefined);
  const all = [...new Set([...(a.values ?? []), ...(b.values ?? [])])].sort((one, two) =>
    String(one) < String(two) ? -1 : 1,
  );
  return open || all.length === 0 || all.length > FEW ? undefined : all;
}

function mergeMembers(a: Readonly<Record<string, Shape>>, b: Readonly<Record<string, Shape>>): Record<string, Shape> {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(
    keys.flatMap((key) => {
      const [one, two] = [a[key], b[key]];
      if (one !== undefined && two !== undefined) return [[key, merge(one, two)]];
      const only = one ?? two;
      return only === undefined ? [] : [[key, { ...only, optional: true as const }]];
    }),
  );
}

/** Among the types of what was null each time, where others made it: what else it can be is not known. */
export const ANYTHING = 'anything';

/** The same without values, for items that others made. */
export function withoutValues({ values: _values, members, items, types, ...rest }: Shape): Shape {
  return {
    types: types.every((each) => each === 'null') ? [ANYTHING, ...types] : types,
    ...rest,
    ...(members === undefined
      ? {}
      : { members: Object.fromEntries(Object.entries(members).map(([key, each]) => [key, withoutValues(each)])) }),
    ...(items === undefined ? {} : { items: withoutValues(items) }),
  };
}
