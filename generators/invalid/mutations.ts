import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import type { Draft } from '../schema/draft.ts';

/** A changed part; undefined removes it. */
export interface Mutation {
  readonly label: string;
  readonly part: Json | undefined;
}

/** Changes of a part, most useful first. Some may leave it valid: the validator decides. */
export function* mutations(value: Json, drafts: readonly Draft[]): Iterable<Mutation> {
  yield { label: 'missing', part: undefined };
  yield* otherTypes(value);
  for (const draft of drafts) yield* beyond(value, draft);
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
  for (const other of OTHERS) if (kind(other) !== kind(value)) yield { label: `as ${kind(other)}`, part: other };
}

function kind(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return (
    { string: 'a string', number: 'a number', boolean: 'a boolean', object: 'an object' }[typeof value as 'string'] ??
    'something'
  );
}

function* beyond(value: Json, draft: Draft): Iterable<Mutation> {
  if (typeof value === 'string') yield* beyondText(draft);
  if (typeof value === 'number') yield* beyondNumber(draft);
  if (Array.isArray(value)) yield* beyondList(value, draft);
  if (isObject(value)) yield* beyondObject(value, draft);
}

function* beyondText({ text }: Draft): Iterable<Mutation> {
  if (text.min > 0 && text.min < 50_000)
    yield { label: `${text.min - 1} characters long`, part: 'a'.repeat(text.min - 1) };
  if (text.max < 50_000) yield { label: `${text.max + 1} characters long`, part: 'a'.repeat(text.max + 1) };
}

function* beyondNumber({ number }: Draft): Iterable<Mutation> {
  const step = number.whole ? 1 : 0.5;
  const outside = [
    number.min - step,
    number.max + step,
    number.above,
    number.below,
    ...number.steps.map((multiple) => multiple / 2),
  ];
  for (const part of outside) if (Number.isFinite(part)) yield { label: `as ${part}`, part };
}

function* beyondList(value: readonly Json[], { list }: Draft): Iterable<Mutation> {
  const item = value[0] ?? null;
  if (list.min > 0) yield { label: `with ${list.min - 1} items`, part: value.slice(0, list.min - 1) };
  if (list.max < 10_000)
    yield {
      label: `with ${list.max + 1} items`,
      part: Array.from({ length: list.max + 1 }, (_, index) => value[index] ?? item),
    };
}

function* beyondObject(value: Json, { size }: Draft): Iterable<Mutation> {
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
