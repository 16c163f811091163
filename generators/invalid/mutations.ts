import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import type { Constraints } from '../schema/constraints.ts';

/** A replacement of a part; undefined removes it. */
export interface Mutation {
  readonly label: string;
  readonly part: Json | undefined;
}

/** Replacements of a part, most useful first. Some may be valid: the validator decides. */
export function* mutations(value: Json, variants: readonly Constraints[]): Iterable<Mutation> {
  yield { label: 'missing', part: undefined };
  yield* otherTypes(value);
  for (const constraints of variants) yield* outsideLimits(value, constraints);
  if (isObject(value)) yield { label: 'with an unknown property', part: { ...value, assayUnknownMember: 1 } };
  if (typeof value === 'string')
    for (const text of ['not-a-valid-value', ...(value === value.toUpperCase() ? [] : [value.toUpperCase()]), '', ' '])
      yield { label: `as ${JSON.stringify(text)}`, part: text };
  if (typeof value === 'number')
    for (const number of [1.5, 2_147_483_648, -2_147_483_649, -1, 1e300]) yield { label: `as ${number}`, part: number };
  if (Array.isArray(value) && value.length > 0)
    yield { label: 'with a repeated item', part: [...value, value[0] ?? null] };
}

const OTHERS: readonly Json[] = [null, 'text', 12_345, true, [], {}, ['text'], { assay: 1 }];

function* otherTypes(value: Json): Iterable<Mutation> {
  for (const other of OTHERS)
    if (typeLabel(other) !== typeLabel(value)) yield { label: `as ${typeLabel(other)}`, part: other };
}

function typeLabel(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return { string: 'a string', number: 'a number', boolean: 'a boolean', object: 'an object' }[
    typeof value as 'string'
  ];
}

function* outsideLimits(value: Json, constraints: Constraints): Iterable<Mutation> {
  if (typeof value === 'string') yield* outsideTextLimits(constraints);
  if (typeof value === 'number') yield* outsideNumberLimits(constraints);
  if (Array.isArray(value)) yield* outsideListLimits(value, constraints);
  if (isObject(value)) yield* outsideObjectLimits(value, constraints);
}

function* outsideTextLimits({ text }: Constraints): Iterable<Mutation> {
  if (text.min > 0 && text.min < 50_000)
    yield { label: `${text.min - 1} characters long`, part: 'a'.repeat(text.min - 1) };
  if (text.max < 50_000) yield { label: `${text.max + 1} characters long`, part: 'a'.repeat(text.max + 1) };
}

function* outsideNumberLimits({ number }: Constraints): Iterable<Mutation> {
  const step = number.integer ? 1 : 0.5;
  const outside = [
    number.min - step,
    number.max + step,
    number.exclusiveMin,
    number.exclusiveMax,
    ...number.multiples.map((multiple) => multiple / 2),
  ];
  for (const part of outside) if (Number.isFinite(part)) yield { label: `as ${part}`, part };
}

function* outsideListLimits(value: readonly Json[], { list }: Constraints): Iterable<Mutation> {
  const item = value[0] ?? null;
  if (list.min > 0) yield { label: `with ${list.min - 1} items`, part: value.slice(0, list.min - 1) };
  if (list.max < 10_000)
    yield {
      label: `with ${list.max + 1} items`,
      part: Array.from({ length: list.max + 1 }, (_, index) => value[index] ?? item),
    };
}

function* outsideObjectLimits(value: Json, { size }: Constraints): Iterable<Mutation> {
  if (!isObject(value)) return;
  const entries = Object.entries(value);
  if (size.min > 0)
    yield { label: `with ${size.min - 1} properties`, part: Object.fromEntries(entries.slice(0, size.min - 1)) };
  if (size.max < 1000)
    yield {
      label: `with ${size.max + 1} properties`,
      part: {
        ...value,
        ...Object.fromEntries(Array.from({ length: size.max + 1 }, (_, index) => [`assay${index}`, null])),
      },
    };
}
