import { isUuid } from '../../../domain/items.ts';
import { isObject, pointerTo, readPointer } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import { deviationsAt, FIRST, inTurn, isMap, OTHER_PARTS, UNUSUAL_KEYS } from './deviations.ts';
import type { Deviation, Sort } from './deviations.ts';
import { partsOf } from '../../../generators/index.ts';
import { replaced } from './parts.ts';
import type { Part, Path } from '../../../generators/index.ts';
import { COUNTS, KEYS } from './values.ts';

/** Cases that one test runs. */
export interface CaseFamily {
  readonly name: string;
  readonly cases: () => Iterable<Deviation>;
}

/** Options for the deviations of a body. */
export interface FamilyOptions {
  /** The object whose members count, where it is not the body. */
  readonly envelope?: Path;
  /** True where it may have any members. */
  readonly isOpen?: boolean;
  /** True for a body that may be sent. */
  readonly isValid: (body: Json) => boolean;
}

/**
 * The deviations of a plain body. Those of its members are combined: a case changes every member in one respect, so that few requests
 * test many values. Ids, parts outside the envelope, and the number and names of members are changed one at a time.
 */
export function familiesOf(
  base: Json,
  { envelope = [], isOpen = false, isValid }: FamilyOptions,
): readonly CaseFamily[] {
  const groups = groupsOf(base, envelope);
  const valid = (deviations: Iterable<Deviation>): Iterable<Deviation> => filtered(deviations, isValid);
  const columns = [...groups].filter(([name]) => name !== OUTSIDE);
  const alone: readonly CaseFamily[] = [
    { name: 'outside', cases: () => ofGroup(base, groups.get(OUTSIDE) ?? []) },
    { name: 'ids', cases: () => ofPlaces(base, [...groups.values()].flat().filter(isIdPart), 'ids') },
    { name: 'number of members', cases: () => (isOpen ? sized(base, envelope) : []) },
    { name: 'unusual members', cases: () => (isOpen ? unusualMembers(base, envelope) : []) },
  ];
  return [
    {
      name: 'members',
      cases: () =>
        combined(
          base,
          columns.map(([name, members]) => ({ path: [...envelope, name], cases: valid(ofGroup(base, members)) })),
        ),
    },
    ...alone.map(({ name, cases }) => ({ name, cases: () => valid(cases()) })),
  ].filter(({ cases }) => cases()[Symbol.iterator]().next().done !== true);
}

/** All parts of the body below the envelope by the member that they are in. */
function groupsOf(base: Json, envelope: Path): ReadonlyMap<string, readonly Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of partsOf(base)) {
    const name = groupOf(part.path, envelope);
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), part]);
  }
  return groups;
}

/** The deviations of one member, alternately: characters and lengths of its texts, and the shapes of its parts. */
function ofGroup(base: Json, members: readonly Part[]): Iterable<Deviation> {
  const texts = members.filter((each) => typeof each.value === 'string' && !isIdPart(each));
  return inTurn([
    ofPlaces(base, texts, 'characters'),
    ofPlaces(base, texts, 'lengths'),
    ofPlaces(base, members, 'shape'),
  ]);
}

function isIdPart({ value }: Part): boolean {
  return isUuid(value);
}

function* filtered(deviations: Iterable<Deviation>, isValid: (body: Json) => boolean): Iterable<Deviation> {
  for (const deviation of deviations) if (isValid(deviation.value)) yield deviation;
}

/** The deviations of one member of the body. */
interface Column {
  readonly path: Path;
  readonly cases: Iterable<Deviation>;
}

/** Bodies with the next deviation of every member, until none is left. Deviations that would make a body too long wait for the next one. */
function* combined(base: Json, columns: readonly Column[]): Iterable<Deviation> {
  let open = columns.map(({ path, cases }) => ({ path, rest: peekable(cases) }));
  for (let row = 0; open.length > 0; row += 1) {
    const labels: string[] = [];
    let value = base;
    // Each body begins with another member, so that none waits forever.
    for (const { path, rest } of rotated(open, row)) {
      const next = rest.peek();
      if (next === undefined) continue;
      const changed = replaced(value, path, partOf(next.value, path));
      if (labels.length > 0 && JSON.stringify(changed).length > MOST_TOGETHER) continue;
      value = changed;
      labels.push(`/${next.path.join('/')}: ${next.label}`);
      rest.take();
    }
    open = open.filter(({ rest }) => rest.peek() !== undefined);
    if (labels.length > 0)
      yield { path: [], label: labels.length > 1 ? 'several unusual values' : (labels[0] ?? ''), value };
  }
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

function partOf(body: Json, path: Path): Json | undefined {
  return readPointer(body, pointerTo('', ...path));
}

/** An iterator whose next value can be seen before it is taken. */
function peekable<T>(source: Iterable<T>): { peek(): T | undefined; take(): void } {
  const rest = source[Symbol.iterator]();
  let next = rest.next();
  return {
    peek: () => (next.done === true ? undefined : next.value),
    take() {
      next = rest.next();
    },
  };
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

/** The deviations of one kind at some places, alternately; with many places, each text at all places at once comes first. */
function ofPlaces(base: Json, places: readonly Part[], sort: Sort): Iterable<Deviation> {
  const of = (some: readonly Part[]): Iterable<Deviation>[] =>
    some.map(({ path, value }) => deviationsAt(base, path, value, sort));
  if (sort === 'shape') return holdersFirst(of(places.filter(isHolder)), of(places.filter((each) => !isHolder(each))));
  const [free, other] = [places.filter(isFree), places.filter((each) => !isFree(each))];
  const together = places.length > MANY ? [free, other].filter((each) => each.length > 0) : [];
  return inTurn([...together.map((each) => jointly(base, each, sort)), inTurn(of(places))]);
}

function isFree({ path, value }: Part): boolean {
  return typeof value === 'string' && FREE.test(String(path.at(-1)));
}

function isHolder({ value }: Part): boolean {
  return Array.isArray(value) || (isObject(value) && isMap(value));
}

/** The first sizes of each list and map, then all other deviations alternately. */
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

/** With more places than these, there are too few cases for all texts at each place. */
const MANY = 2;

/** Members that hold free text. */
const FREE = /(name|description|title|text|value|label|note|comment)$|^\d+$/i;

/** Most characters in all places together. */
const MOST_TOGETHER = 100_000;

/** Each text in all places at once. */
function* jointly(base: Json, places: readonly Part[], sort: Sort): Iterable<Deviation> {
  for (const { label, part } of OTHER_PARTS[sort]('a', []))
    if (JSON.stringify(part ?? null).length * places.length < MOST_TOGETHER)
      yield {
        path: places[0]?.path ?? [],
        label: `${label} in several places`,
        value: places.reduce<Json>((value, { path }) => replaced(value, path, part), base),
      };
}

/** Name of the group of parts outside the envelope. */
const OUTSIDE = '';

/** The member of the envelope that contains a place; undefined for the envelope itself and the objects around it. */
function groupOf(path: Path, envelope: Path): string | undefined {
  const isInside = envelope.every((token, depth) => path[depth] === token);
  if (isInside) return path.length === envelope.length ? undefined : String(path[envelope.length]);
  return path.every((token, depth) => envelope[depth] === token) ? undefined : OUTSIDE;
}
