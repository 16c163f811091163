import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { setProperty } from '../core/set-property.ts';
import type { Path } from '../shrink/json.ts';

/** A part of a value and its path. */
export interface Part {
  readonly path: Path;
  readonly value: Json;
}

/** The value and its parts, outermost first; of an array only the first item, of an object the first `most` properties. */
export function* partsOf(value: Json, most = Infinity, path: Path = []): Iterable<Part> {
  yield { path, value };
  if (Array.isArray(value)) {
    const [first]: readonly Json[] = value;
    if (first !== undefined) yield* partsOf(first, most, [...path, 0]);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value).slice(0, most)) yield* partsOf(member, most, [...path, key]);
  }
}

/** The value with the part at a path replaced; undefined removes it. */
export function replacedAt(value: Json, path: Path, part: Json | undefined): Json | undefined {
  const [token, ...rest] = path;
  if (token === undefined) return part;
  if (Array.isArray(value) && typeof token === 'number') {
    const inner = replacedAt(value[token] ?? null, rest, part);
    return inner === undefined ? value.filter((_, index) => index !== token) : value.with(token, inner);
  }
  if (!isObject(value) || typeof token !== 'string') return value;
  const inner = replacedAt(Object.hasOwn(value, token) ? (value[token] ?? null) : null, rest, part);
  const copy: Record<string, Json> = Object.fromEntries(
    Object.entries(value).filter(([key]) => inner !== undefined || key !== token),
  );
  if (inner !== undefined) setProperty(copy, token, inner);
  return copy;
}
