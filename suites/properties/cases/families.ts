import { isObject, pointerTo, readPointer } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import { deviationsAt, FIRST, inTurn, isMap, OTHERS, UNUSUAL_KEYS, UUID } from './deviations.ts';
import type { Deviation, Sort } from './deviations.ts';
import { partsOf, replaced } from './parts.ts';
import type { Part, Path } from './parts.ts';
import { COUNTS, KEYS } from './values.ts';

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
  const sampleWith = (label: string, more: readonly (readonly [string, Json])[]): Deviation => ({
    path: envelope,
    label,
    value: replaced(base, envelope, Object.fromEntries([...Object.entries(object), ...more])),
  });
  const withKeys = (keys: readonly string[]): Deviation =>
    sampleWith(
      `members ${keys.map((key) => JSON.stringify(key)).join(', ')}`,
      keys.map((key) => [key, 'x']),
    );
  const ofSize = (size: number): Deviation => sampleWith(`${size} members`, extraMembers(size - count));
  const sizes = COUNTS.filter((size) => size > count);
  yield* sizes.slice(0, FIRST).map(ofSize);
  yield* UNUSUAL_KEYS.map(withKeys);
  yield* sizes.slice(FIRST).map(ofSize);
  yield* KEYS.map((key) => withKeys([key]));
}

/** Additional members with values of all kinds. */
function* unusualMembers(base: Json, envelope: Path): Iterable<Deviation> {
  const object = objectAt(base, envelope);
  const withMember = (label: string, name: string, value: Json): Deviation => ({
    path: envelope,
    label,
    value: replaced(base, envelope, { ...object, [name]: value }),
  });
  for (const [label, value] of Object.entries(UNUSUAL_VALUES)) yield withMember(label, 'prop-assay.unusual', value);
  const first = Object.keys(object)[0]?.toUpperCase();
  if (first === undefined || Object.hasOwn(object, first)) return;
  yield withMember('names that differ by case', first, 'x');
  yield withMember('a member in a member of the same name', 'prop-assay.unusual', { 'prop-assay.unusual': 'x' });
}

function objectAt(base: Json, envelope: Path): JsonObject {
  const found = envelope.length === 0 ? base : readPointer(base, pointerTo('', ...envelope));
  return isObject(found) ? found : {};
}

function extraMembers(count: number): readonly (readonly [string, Json])[] {
  return Array.from({ length: count }, (_, index) => [`prop-assay.key${index}`, `value ${index}`]);
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
