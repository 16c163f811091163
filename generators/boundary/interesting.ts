import { pointerTo } from '../../spec/index.ts';
import type { Json, SchemaRef } from '../../spec/index.ts';
import { arbitraryFor, isUnsatisfiable } from '../schema/arbitrary-for.ts';
import type { SchemaOptions } from '../schema/arbitrary-for.ts';
import type { SchemaSource } from '../schema/source.ts';
import { fullValue } from '../invalid/invalid-values.ts';
import { replacedAt, spots } from '../invalid/walk.ts';
import { INTERESTING_KEYS } from '../values/keys.ts';
import { INTERESTING_INTEGERS, INTERESTING_REALS } from '../values/numbers.ts';
import { FIRST_LENGTHS, FIRST_TEXTS } from '../values/strings.ts';

/** A valid value that differs from a plain one in one respect. */
export interface Deviation {
  readonly pointer: string;
  readonly label: string;
  readonly value: Json;
}

/**
 * Every valid value that differs from a plain, full one in one respect: a member absent or null, a text, number or size
 * that programs get wrong. Lazy, in a stable order; there can be thousands.
 */
export function* interestingFor(
  source: SchemaSource,
  ref: SchemaRef,
  options: SchemaOptions = {},
): Iterable<Deviation> {
  const arbitrary = arbitraryFor(source, ref, options);
  if (isUnsatisfiable(arbitrary)) return;
  const base = fullValue(arbitrary.parts);
  for (const { path, value } of spots(base)) {
    if (path.length === 0 || arbitrary.parts.fixed(path)) continue;
    for (const { label, part } of deviations(value)) {
      const other = replacedAt(base, path, part);
      if (other !== undefined && arbitrary.accepts(other))
        yield { pointer: pointerTo('', ...path), label, value: other };
    }
  }
}

interface Other {
  readonly label: string;
  readonly part: Json | undefined;
}

function* deviations(value: Json): Iterable<Other> {
  yield { label: 'absent', part: undefined };
  if (value !== null) yield { label: 'null', part: null };
  if (typeof value === 'string') yield* texts();
  if (typeof value === 'number')
    for (const part of [...INTERESTING_INTEGERS, ...INTERESTING_REALS]) yield { label: `${part}`, part };
  if (typeof value === 'boolean') yield { label: `${!value}`, part: !value };
  if (Array.isArray(value)) yield* lists(value);
  else if (typeof value === 'object' && value !== null) yield* objects();
}

function* texts(): Iterable<Other> {
  for (const part of FIRST_TEXTS) yield { label: JSON.stringify(part), part };
  for (const length of FIRST_LENGTHS) yield { label: `${length} characters`, part: 'a'.repeat(length) };
}

function* lists(value: readonly Json[]): Iterable<Other> {
  const [first] = value;
  for (const size of [0, 1, 2, 10, 51, 101]) {
    if (size === 0 || first !== undefined)
      yield { label: `${size} items`, part: Array.from({ length: size }, () => first ?? null) };
  }
}

function* objects(): Iterable<Other> {
  yield { label: 'empty', part: {} };
  for (const key of INTERESTING_KEYS)
    yield { label: `only ${JSON.stringify(key)}`, part: Object.fromEntries([[key, 'a']]) };
}
