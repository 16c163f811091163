import { isObject, pointerTo, readPointer, scalarText } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import { replaced, partsOf } from './parts.ts';
import type { Path, Part } from './parts.ts';
import { COUNTS, KEYS, LENGTHS, NUMBERS, TEXTS } from './values.ts';

/** A value that differs from a plain one in one respect. */
export interface Deviation {
  readonly path: Path;
  readonly label: string;
  readonly value: Json;
}

interface Other {
  readonly label: string;
  readonly part: Json | undefined;
}

/** Kinds of deviations; each has a budget of its own. */
export type Sort = 'characters' | 'lengths' | 'shape' | 'ids';

/** Every deviation of one kind at one place, those that most likely fail first. */
export function* deviationsAt(base: Json, path: Path, part: Json, sort: Sort): Iterable<Deviation> {
  for (const { label, part: other } of OTHERS[sort](part, path))
    yield { path, label, value: replaced(base, path, other) };
}

const OTHERS: Readonly<Record<Sort, (part: Json, path: Path) => Iterable<Other>>> = {
  *characters(part) {
    if (typeof part === 'string') for (const text of TEXTS) yield { label: JSON.stringify(text), part: text };
  },
  *lengths(part) {
    if (typeof part === 'string')
      for (const length of LENGTHS) yield { label: `${length} characters`, part: 'a'.repeat(length) };
  },
  *ids(part) {
    if (typeof part !== 'string' || !UUID.test(part)) return;
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

/** How many sizes of a list or map come first. */
const FIRST = 12;

/** Unusual keys, several at a time. */
const UNUSUAL_KEYS: readonly (readonly string[])[] = chunked(
  [...KEYS, ...TEXTS.filter((text) => text !== '' && !KEYS.includes(text))],
  6,
);

function chunked<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
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
    yield { label: `${count} items`, part: Array.from({ length: count }, (_, index) => numbered(first, index)) };
  yield { label: 'items reversed', part: list.toReversed() };
}

/** A different item of the same kind. */
function numbered(item: Json, index: number): Json {
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
  yield* COUNTS.slice(0, FIRST).map(sized);
  for (const keys of UNUSUAL_KEYS)
    yield {
      label: `entries ${keys.map((key) => JSON.stringify(key)).join(', ')}`,
      part: Object.fromEntries([...entries, ...keys.map((key): [string, Json] => [key, value])]),
    };
  yield* COUNTS.slice(FIRST).map(sized);
  yield { label: 'keys that differ by case', part: { ...object, [name.toUpperCase()]: value } };
  for (const key of KEYS)
    yield { label: `an entry ${JSON.stringify(key)}`, part: Object.fromEntries([...entries, [key, value]]) };
}

/** True for a map of texts, as opposed to an object with known members. */
function isMap(object: JsonObject): boolean {
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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A group of places with a budget of its own. */
export interface Family {
  readonly name: string;
  readonly cases: Iterable<Deviation>;
}

/**
 * The deviations of a plain body by member: characters and lengths of its texts, the shape of everything else. Members
 * that are no texts and hold nothing share one family. `envelope`: the object whose members count, where it
 * is not the body; `open`: it may have any members.
 */
export function familiesOf(base: Json, envelope: Path = [], open = false): readonly Family[] {
  const groups = new Map<string, Part[]>();
  for (const spot of partsOf(base)) {
    if (spot.path.length === 0) continue;
    const name = groupOf(spot.path, envelope);
    groups.set(name, [...(groups.get(name) ?? []), spot]);
  }
  const texts = [...groups].flatMap(([name, members]) =>
    (['characters', 'lengths'] as const).map((sort) =>
      family(
        base,
        `${name} ${sort}`,
        sort,
        members.filter(({ value }) => typeof value === 'string' && !UUID.test(value)),
      ),
    ),
  );
  const holders = [...groups].filter(([, members]) => members.length > 1 || Array.isArray(members[0]?.value));
  const ids = family(
    base,
    'ids',
    'ids',
    [...groups].flatMap(([, members]) => members.filter(({ value }) => typeof value === 'string' && UUID.test(value))),
  );
  const shapes = holders.map(([name, members]) => family(base, `${name} shape`, 'shape', members));
  const flat = [...groups].filter((each) => !holders.includes(each)).flatMap(([, members]) => members);
  const opened = open
    ? [
        lazily('number of members', () => sized(base, envelope)),
        lazily('unusual members', () => unusualMembers(base, envelope)),
      ]
    : [];
  return [...texts, ids, ...shapes, family(base, 'members', 'shape', flat), ...opened].filter(
    (each) => each !== undefined,
  );
}

function lazily(name: string, cases: () => Iterable<Deviation>): Family {
  return { name, cases: { [Symbol.iterator]: () => cases()[Symbol.iterator]() } };
}

/** More members than the body has; valid only where the schema leaves the object open. */
function* sized(base: Json, envelope: Path): Iterable<Deviation> {
  const object = objectAt(base, envelope);
  const count = Object.keys(object).length;
  const grown = (size: number): Deviation => ({
    path: envelope,
    label: `${size} members`,
    value: replaced(base, envelope, { ...object, ...extraMembers(size - count) }),
  });
  const sizes = COUNTS.filter((size) => size > count);
  yield* sizes.slice(0, FIRST).map(grown);
  for (const keys of UNUSUAL_KEYS)
    yield {
      path: envelope,
      label: `members ${keys.map((key) => JSON.stringify(key)).join(', ')}`,
      value: replaced(
        base,
        envelope,
        Object.fromEntries([...Object.entries(object), ...keys.map((key): [string, Json] => [key, 'x'])]),
      ),
    };
  yield* sizes.slice(FIRST).map(grown);
  for (const key of KEYS)
    yield {
      path: envelope,
      label: `a member ${JSON.stringify(key)}`,
      value: replaced(base, envelope, Object.fromEntries([...Object.entries(object), [key, 'x']])),
    };
}

/** Additional members with values of all kinds. */
function* unusualMembers(base: Json, envelope: Path): Iterable<Deviation> {
  const object = objectAt(base, envelope);
  const [first] = Object.keys(object);
  for (const [label, part] of Object.entries(UNUSUAL_VALUES))
    yield { path: envelope, label, value: replaced(base, envelope, { ...object, 'prop-assay.unusual': part }) };
  if (first === undefined || first === first.toUpperCase()) return;
  yield {
    path: envelope,
    label: 'names that differ by case',
    value: replaced(base, envelope, { ...object, [first.toUpperCase()]: 'x' }),
  };
  yield {
    path: envelope,
    label: 'a member in a member of the same name',
    value: replaced(base, envelope, { ...object, 'prop-assay.unusual': { 'prop-assay.unusual': 'x' } }),
  };
}

function objectAt(base: Json, envelope: Path): JsonObject {
  const found = envelope.length === 0 ? base : readPointer(base, pointerTo('', ...envelope));
  return isObject(found) ? found : {};
}

function extraMembers(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`prop-assay.key${index}`, `value ${index}`]));
}

/** Values that an open object may hold. */
const UNUSUAL_VALUES: Readonly<Record<string, Json>> = {
  false: false,
  true: true,
  null: null,
  zero: 0,
  'a fraction': 0.5,
  'a negative number': -1,
  'a big number': 1e300,
  'a small number': 1e-7,
  'an integer past 53 bits': 9_007_199_254_740_994,
  'an empty list': [],
  'an empty object': {},
  'a list of numbers': [1, 2, 3],
  'a list of objects': [{ a: 1 }, { b: 2 }],
  'a list of lists': [[1], [2]],
  'a mixed list': [1, 'a', null, {}],
  'a hundred items': Array.from({ length: 101 }, (_, index) => index),
  'five objects in each other': { a: { b: { c: { d: { e: 1 } } } } },
  'ten lists in each other': [[[[[[[[[['a']]]]]]]]]],
  'twenty objects in each other': Array.from({ length: 20 }).reduce<Json>((inner) => ({ inner }), 1),
};

function family(base: Json, name: string, sort: Sort, members: readonly Part[]): Family | undefined {
  if (members.length === 0) return undefined;
  const of = (some: readonly Part[]): Iterable<Deviation>[] =>
    some.map(({ path, value }) => deviationsAt(base, path, value, sort));
  const [free, other] = [members.filter(isFree), members.filter((each) => !isFree(each))];
  if (sort === 'shape')
    return lazily(name, () =>
      holdersFirst(of(members.filter(isHolder)), of(members.filter((each) => !isHolder(each)))),
    );
  const together = members.length > MANY ? [free, other].filter((each) => each.length > 0) : [];
  return lazily(name, () => inTurn([...together.map((each) => jointly(base, each, sort)), inTurn(of(members))]));
}

function isFree({ path, value }: Part): boolean {
  return typeof value === 'string' && FREE.test(String(path.at(-1)));
}

function isHolder({ value }: Part): boolean {
  return Array.isArray(value) || (isObject(value) && isMap(value));
}

/** First the first sizes of each list and map, then the rest in turn. */
function* holdersFirst(
  holders: readonly Iterable<Deviation>[],
  others: readonly Iterable<Deviation>[],
): Iterable<Deviation> {
  const open = holders.map((each) => each[Symbol.iterator]());
  for (let round = 0; round < FIRST; round += 1) {
    for (const each of open) {
      const next = each.next();
      if (next.done !== true) yield next.value;
    }
  }
  yield* inTurn([...open.map((each): Iterable<Deviation> => ({ [Symbol.iterator]: () => each })), ...others]);
}

/** With more places than these, the budget is too small for all texts at each place. */
const MANY = 2;

/** Members that hold free text. */
const FREE = /(name|description|title|text|value|label|note|comment)$|^\d+$/i;

/** Most characters in all places together. */
const MOST_TOGETHER = 100_000;

/** Each text in all places at once. */
function* jointly(base: Json, places: readonly Part[], sort: Sort): Iterable<Deviation> {
  for (const { label, part } of OTHERS[sort]('a', []))
    if (JSON.stringify(part ?? null).length * places.length < MOST_TOGETHER)
      yield {
        path: places[0]?.path ?? [],
        label: `${label} in several places`,
        value: places.reduce<Json>((value, { path }) => replaced(value, path, part), base),
      };
}

/** The member of the envelope that a place is in; places outside of it go by their last name. */
function groupOf(path: Path, envelope: Path): string {
  const inside = envelope.every((token, depth) => path[depth] === token);
  if (!inside)
    return path.length < envelope.length && path.every((token, depth) => envelope[depth] === token)
      ? 'envelope'
      : 'outside';
  return path.length === envelope.length ? 'envelope' : String(path[envelope.length]);
}
