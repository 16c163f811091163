import { isObject } from '../../../spec/index.ts';
import type { Json } from '../../../spec/index.ts';

export type Path = readonly (string | number)[];

/** A part of a value and where it stands. */
export interface Spot {
  readonly path: Path;
  readonly value: Json;
}

/** All parts of a value, outermost first; of a list only the first item. */
export function* spots(value: Json, path: Path = []): Iterable<Spot> {
  yield { path, value };
  if (Array.isArray(value)) {
    const [first]: readonly Json[] = value;
    if (first !== undefined) yield* spots(first, [...path, 0]);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) yield* spots(member, [...path, key]);
  }
}

/** The value with another part at a path; `undefined` takes it out. */
export function replaced(value: Json, [token, ...rest]: Path, part: Json | undefined): Json {
  if (token === undefined) return part ?? null;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return list
      .map((item, index) => (index === token ? replaced(item, rest, part) : item))
      .filter((_, index) => index !== token || rest.length > 0 || part !== undefined);
  }
  if (!isObject(value)) return value;
  const others = Object.entries(value);
  const known = Object.hasOwn(value, token);
  const inner = rest.length === 0 ? part : replaced(value[token] ?? {}, rest, part);
  const changed = others.flatMap(([key, member]): [string, Json][] =>
    key !== token ? [[key, member]] : inner === undefined ? [] : [[key, inner]],
  );
  return Object.fromEntries(known || inner === undefined ? changed : [...changed, [String(token), inner]]);
}
