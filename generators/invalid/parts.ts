import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { put } from '../core/put.ts';
import type { Path } from '../shrink/json.ts';

/** A part of a value and its path. */
export interface Spot {
  readonly path: Path;
  readonly value: Json;
}

/** All parts of a value, outermost first: the first item of an array, at most `width` properties of an object. */
export function* spots(value: Json, width = 40, path: Path = []): Iterable<Spot> {
  yield { path, value };
  if (Array.isArray(value)) {
    const [first]: readonly Json[] = value;
    if (first !== undefined) yield* spots(first, width, [...path, 0]);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value).slice(0, width)) yield* spots(member, width, [...path, key]);
  }
}

/** The value with another part at a path; undefined removes the part. */
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
  if (inner !== undefined) put(copy, token, inner);
  return copy;
}
