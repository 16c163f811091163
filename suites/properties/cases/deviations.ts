import { isUuid } from '../../../domain/items.ts';
import { isObject, scalarText } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import { replaced } from './parts.ts';
import type { Path } from '../../../generators/index.ts';
import { COUNTS, KEYS, LENGTHS, LOOKALIKES, NUMBERS, TEXTS, WIDE_TEXTS } from './values.ts';

/** A value that differs from a plain one in one respect. */
export interface Deviation {
  readonly path: Path;
  readonly label: string;
  readonly value: Json;
}

/** Another value for a part; undefined: the part is left out. */
export interface Other {
  readonly label: string;
  readonly part: Json | undefined;
}

/** Kinds of deviations; each has its own number of cases. */
export type Sort = 'characters' | 'lengths' | 'shape' | 'ids';

/** Every deviation of one kind at one place; those that most likely fail come first. */
export function* deviationsAt(base: Json, path: Path, part: Json, sort: Sort): Iterable<Deviation> {
  for (const { label, part: other } of OTHER_PARTS[sort](part, path))
    yield { path, label, value: replaced(base, path, other) };
}

export const OTHER_PARTS: Readonly<Record<Sort, (part: Json, path: Path) => Iterable<Other>>> = {
  *characters(part) {
    if (typeof part === 'string') for (const text of TEXTS) yield { label: JSON.stringify(text), part: text };
  },
  *lengths(part) {
    if (typeof part !== 'string') return;
    for (const [index, length] of LENGTHS.entries()) {
      yield { label: `${length} characters`, part: 'a'.repeat(length) };
      const wide = WIDE_TEXTS[index];
      if (wide !== undefined) yield { label: `${Buffer.byteLength(wide)} bytes`, part: wide };
    }
  },
  *ids(part) {
    if (!isUuid(part)) return;
    if (part !== part.toUpperCase()) yield { label: 'in capitals', part: part.toUpperCase() };
    for (const [label, id] of Object.entries(IDS)) yield { label, part: id };
  },
  *shape(part) {
    if (part !== null) yield { label: 'null', part: null };
    yield { label: 'left out', part: undefined };
    if (typeof part === 'boolean') yield { label: `${!part}`, part: !part };
    if (typeof part === 'number') for (const number of NUMBERS) yield { label: `${number}`, part: number };
    if (Array.isArray(part)) yield* lists(part as readonly Json[]);
    else if (isObject(part)) yield* objects(part);
  },
};

/** Number of sizes of a list or map that come before other deviations. */
export const FIRST = 12;

/** Unusual keys, several at a time. */
export const UNUSUAL_KEYS: readonly (readonly string[])[] = chunked(
  [...KEYS, ...TEXTS.filter((text) => text !== '' && !KEYS.includes(text))],
  6,
);

export function chunked<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** Well-formed ids, whether or not they exist. */
const IDS: Readonly<Record<string, string>> = {
  'nil uuid': '00000000-0000-0000-0000-000000000000',
  'last uuid': 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'uuid in capitals': 'ABCDEF01-2345-4789-ABCD-EF0123456789',
  'uuid version 1': 'c232ab00-9414-11ec-b3c8-9f6bdeced846',
  'uuid version 7': '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
};

function* lists(list: readonly Json[]): Iterable<Other> {
  const first = list[0];
  if (first === undefined) {
    yield { label: 'one empty object', part: [{}] };
    yield { label: 'one text', part: ['a'] };
    return;
  }
  yield { label: 'the same item twice', part: [first, first] };
  for (const count of COUNTS)
    yield { label: `${count} items`, part: Array.from({ length: count }, (_, index) => numberedItem(first, index)) };
  yield { label: 'items reversed', part: list.toReversed() };
}

/** A different item of the same kind. */
function numberedItem(item: Json, index: number): Json {
  if (index === 0) return item;
  if (typeof item === 'string') return `${item} ${index}`;
  if (!isObject(item)) return item;
  const name = Object.keys(item).find((key) => typeof item[key] === 'string' && !/id$/i.test(key));
  return name === undefined ? item : { ...item, [name]: `${scalarText(item[name])} ${index}` };
}

function* objects(object: JsonObject): Iterable<Other> {
  yield { label: 'empty', part: {} };
  const entries = Object.entries(object);
  const last = entries.at(-1);
  if (last === undefined || !isMap(object)) return;
  const [name, value] = last;
  const more = (count: number): [string, Json][] =>
    Array.from({ length: Math.max(0, count - entries.length) }, (_, index) => [`${name}${index}`, value]);
  const sized = (count: number): Other => ({
    label: `${count} entries`,
    part: Object.fromEntries([...entries.slice(0, count), ...more(count)]),
  });
  yield {
    label: 'texts that look like other values, with keys that differ by case',
    part: Object.fromEntries([
      ...entries,
      ...LOOKALIKES.map((text, at): [string, Json] => [`${name}-${ALIKE.charAt(at)}`, text]),
    ]),
  };
  yield* COUNTS.slice(0, FIRST).map(sized);
  for (const keys of UNUSUAL_KEYS)
    yield {
      label: `entries ${keys.map((key) => JSON.stringify(key)).join(', ')}`,
      part: Object.fromEntries([...entries, ...keys.map((key): [string, Json] => [key, value])]),
    };
  yield* COUNTS.slice(FIRST).map(sized);
  for (const key of KEYS)
    yield { label: `an entry ${JSON.stringify(key)}`, part: Object.fromEntries([...entries, [key, value]]) };
}

/** Ends of keys of which two each differ by case, though not at the beginning: that a framework may write in camel case. */
const ALIKE = 'aAbBcCdDeEfF';

/** True for a map of texts, as opposed to an object with known members. */
export function isMap(object: JsonObject): boolean {
  const entries = Object.entries(object);
  return entries.every(([, value]) => typeof value === 'string') && entries.every(([key]) => /[-.]|\d$/.test(key));
}

/** Takes from each source in turn, so that a short budget covers all of them. */
export function* inTurn<T>(sources: readonly Iterable<T>[]): Iterable<T> {
  let open = sources.map((each) => each[Symbol.iterator]());
  while (open.length > 0) {
    const left: Iterator<T>[] = [];
    for (const each of open) {
      const next = each.next();
      if (next.done === true) continue;
      yield next.value;
      left.push(each);
    }
    open = left;
  }
}
