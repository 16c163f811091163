import { isDeepStrictEqual } from 'node:util';
import type { GeneratedRequest } from '../../../generators/index.ts';
import type { Json } from '../../../spec/index.ts';
import { isObject, pointerTo, readPointer } from '../../../spec/index.ts';
import { shrinkerOf, withBodyValue } from '../case.ts';
import type { RequestShrinker } from '../case.ts';
import { partsOf } from '../../../generators/index.ts';
import { replaced } from './parts.ts';

/** Makes a body more like a plain one that is accepted, part by part; the remaining differences are the reason for the refusal. */
export function towardsPlain(plain: GeneratedRequest): RequestShrinker {
  const base = plain.body?.value ?? null;
  return shrinkerOf(plain, function* likelier(value) {
    const body = value.body?.value;
    if (body !== undefined) for (const each of candidates(body, base)) yield withBodyValue(value, each);
  });
}

function* candidates(body: Json, base: Json): Iterable<Json> {
  for (const { path, value } of partsOf(body)) {
    const plain = readPointer(base, pointerTo('', ...path));
    if (path.length === 0 || isDeepStrictEqual(value, plain)) continue;
    yield replaced(body, path, plain);
    for (const part of simpler(value, plain)) yield replaced(body, path, part);
  }
}

function* simpler(value: Json, plain: Json | undefined): Iterable<Json> {
  if (typeof value === 'string') {
    if (plain === undefined && value.length > 1) yield value.slice(0, Math.ceil(value.length / 2));
    if (value !== '' && value !== 'a') yield 'a';
  } else if (Array.isArray(value)) {
    if (value.length > 1) yield (value as readonly Json[]).slice(0, Math.ceil(value.length / 2));
  } else if (isObject(value)) {
    const different = Object.keys(value).filter(
      (key) => !isDeepStrictEqual(value[key], readPointer(plain ?? null, pointerTo('', key))),
    );
    const middle = different.length >> 1;
    if (different.length > 3)
      for (const half of [different.slice(0, middle), different.slice(middle)])
        yield Object.fromEntries(Object.entries(value).filter(([key]) => !half.includes(key)));
  }
}
