import { array, constant, oneof, tuple } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { isObject, pointerTo, readPointer } from '../../../spec/index.ts';
import type { Json } from '../../../spec/index.ts';
import type { Path } from '../../../generators/index.ts';

/** The value with another part at a path; `undefined` removes it. */
export function replaced(value: Json, [token, ...rest]: Path, part: Json | undefined): Json {
  if (token === undefined) return part ?? null;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return list
      .map((item, index) => (index === token ? replaced(item, rest, part) : item))
      .filter((_, index) => index !== token || rest.length > 0 || part !== undefined);
  }
  if (!isObject(value)) return value;
  const inner = rest.length === 0 ? part : replaced(value[token] ?? {}, rest, part);
  const changed = Object.entries(value).flatMap(([key, member]): [string, Json][] =>
    key !== token ? [[key, member]] : inner === undefined ? [] : [[key, inner]],
  );
  const isNew = inner !== undefined && !Object.hasOwn(value, token);
  return Object.fromEntries(isNew ? [...changed, [String(token), inner]] : changed);
}

/** Number of combinations from which the first valid one is taken. */
const COMBINATIONS = 20;

/** Weight of the unchanged value among the states of a member: for many and for few changes. */
const MANY_CHANGES = 3;
const FEW_CHANGES = 11;

/** Combinations of what the members of an object can be: unchanged, absent, null, empty or another value. */
export function memberStates(base: Json, at: Path, isValid: (value: Json) => boolean): Arbitrary<Json> {
  const object = readPointer(base, pointerTo('', ...at));
  if (!isObject(object)) return constant(base);
  const combination = (weight: number): Arbitrary<Json> =>
    tuple(
      ...Object.entries(object).map(([key, value]) =>
        stateOf(value, weight).map((state): [string, Json | undefined] => [key, state]),
      ),
    ).map((members) =>
      replaced(
        base,
        at,
        Object.fromEntries(members.flatMap(([key, state]) => (state === undefined ? [] : [[key, state]]))),
      ),
    );
  const any = oneof(
    { arbitrary: combination(MANY_CHANGES), weight: 2 },
    { arbitrary: combination(FEW_CHANGES), weight: 1 },
  );
  const several = array(any, { minLength: COMBINATIONS, maxLength: COMBINATIONS });
  return several.map((values) => values.find(isValid) ?? base);
}

function stateOf(value: Json, weight: number): Arbitrary<Json | undefined> {
  const states: readonly (readonly [Json | undefined, number])[] = [
    [value, weight],
    [undefined, 2],
    [null, 1],
    ...othersOf(value).map((other) => [other, 1] as const),
  ];
  return oneof(...states.map(([state, times]) => ({ arbitrary: constant(state), weight: times })));
}

function othersOf(value: Json): readonly Json[] {
  if (typeof value === 'boolean') return [!value, !value];
  if (typeof value === 'number') return value === 0 ? [1, 1] : [0, 0];
  if (typeof value === 'string') return ['', value];
  if (Array.isArray(value)) return [[], [...(value as readonly Json[]), ...(value as readonly Json[])]];
  return [{}, value];
}
