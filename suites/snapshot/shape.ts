import { mapValues } from '../../spec/json.ts';
import type { Json, JsonObject } from '../../spec/index.ts';
import { isUuid } from '../../domain/items.ts';
import { isObject } from '../../spec/index.ts';

/** Type of a value; `none` for no body, `any` where the type could not be determined. */
export type ShapeType =
  | 'none'
  | 'any'
  | 'null'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  | 'uuid'
  | 'date-time'
  | 'array'
  | 'object';

/** The shape of a value, without ids, times and names, so that it is the same in every run. */
export interface JsonShape {
  /** Types that were seen, sorted. */
  readonly types: readonly ShapeType[];
  /** All values that were seen, where they are booleans or look like an enumeration. */
  readonly values?: readonly (string | boolean)[];
  /** Seen in some objects only. */
  readonly optional?: true;
  readonly members?: Readonly<Record<string, JsonShape>>;
  readonly items?: JsonShape;
}

/** Most values of an enumeration. */
const MOST_VALUES = 8;

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
/** The usual spelling of enumeration values; other strings are mostly data. */
const ENUM_VALUE = /^[A-Z][A-Za-z]{1,29}$/;

/** The type of values that others created and that were always null. */
export const ANY = 'any';

/** The shape of one value; undefined stands for no value. */
export function shapeIn(value: Json | undefined): JsonShape {
  if (value === undefined) return { types: ['none'] };
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(shapeIn);
    return items.length === 0 ? { types: ['array'] } : { types: ['array'], items: items.reduce(merge) };
  }
  if (isObject(value)) return { types: ['object'], members: membersOf(value) };
  if (typeof value === 'string') return stringShape(value);
  if (typeof value === 'number') return { types: [Number.isInteger(value) ? 'integer' : 'number'] };
  return typeof value === 'boolean' ? { types: ['boolean'], values: [value] } : { types: ['null'] };
}

function membersOf(value: JsonObject): Record<string, JsonShape> {
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, shapeIn(value[key])]));
}

function stringShape(text: string): JsonShape {
  if (isUuid(text)) return { types: ['uuid'] };
  if (TIME.test(text)) return { types: ['date-time'] };
  return ENUM_VALUE.test(text) ? { types: ['string'], values: [text] } : { types: ['string'] };
}

/** The shape that covers both: all types of both; members that one lacks are optional. */
export function merge(a: JsonShape, b: JsonShape): JsonShape {
  const types = [...new Set([...a.types, ...b.types])].sort();
  const values = mergeValues(a, b);
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

/** Undefined where one shape may have any value of its type. */
function mergeValues(a: JsonShape, b: JsonShape): readonly (string | boolean)[] | undefined {
  const isOpen = (each: JsonShape): boolean =>
    each.values === undefined && each.types.some((type) => type === 'string' || type === 'boolean');
  const all = [...new Set([...(a.values ?? []), ...(b.values ?? [])])].sort((one, two) =>
    String(one) < String(two) ? -1 : 1,
  );
  return isOpen(a) || isOpen(b) || all.length === 0 || all.length > MOST_VALUES ? undefined : all;
}

function mergeMembers(
  a: Readonly<Record<string, JsonShape>>,
  b: Readonly<Record<string, JsonShape>>,
): Record<string, JsonShape> {
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

/** The shape without values, for items that others created. */
export function withoutValues({ values: _values, members, items, types, ...rest }: JsonShape): JsonShape {
  return {
    types: types.every((each) => each === 'null') ? [ANY, ...types] : types,
    ...rest,
    ...(members === undefined ? {} : { members: mapValues(members, (each) => withoutValues(each)) }),
    ...(items === undefined ? {} : { items: withoutValues(items) }),
  };
}
