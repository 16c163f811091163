import type { GeneratedRequest } from '../../../generators/index.ts';
import type { Json } from '../../../spec/index.ts';
import { pointerTo, readPointer } from '../../../spec/index.ts';
import { differences } from '../../kit/compare.ts';
import { withBody } from '../hunt/case.ts';
import type { Shrinker } from '../hunt/shrink.ts';
import { replaced, spots } from './spots.ts';

/** Makes a body more like a plain one that is taken, part by part: what is left is why it is not taken. */
export function towards(plain: GeneratedRequest): Shrinker {
  const base = plain.body?.value ?? null;
  return {
    simplest: plain,
    accepts: () => false,
    *shrink(value) {
      const body = value.body?.value;
      if (body === undefined) return;
      for (const candidate of likelier(body, base)) yield { value: withBody(value, candidate) };
    },
  };
}

function* likelier(body: Json, base: Json): Iterable<Json> {
  for (const { path, value } of spots(body)) {
    const own = readPointer(base, pointerTo('', ...path));
    if (path.length === 0 || differences(value, own).length === 0) continue;
    yield replaced(body, path, own);
    if (own === undefined && typeof value === 'string' && value.length > 1)
      yield replaced(body, path, value.slice(0, Math.ceil(value.length / 2)));
    if (typeof value === 'string' && value !== '' && value !== 'a') yield replaced(body, path, 'a');
    if (Array.isArray(value) && value.length > 1)
      yield replaced(body, path, value.slice(0, Math.ceil(value.length / 2)) as Json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const entries = Object.entries(value);
      const odd = entries.filter(
        ([key, member]) => differences(member, readPointer(own ?? null, pointerTo('', key))).length > 0,
      );
      if (odd.length > 3)
        for (const half of [odd.slice(0, odd.length >> 1), odd.slice(odd.length >> 1)])
          yield replaced(body, path, Object.fromEntries(entries.filter((each) => !half.includes(each))));
    }
  }
}
