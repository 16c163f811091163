import type { Exchange, Json } from '../../spec/index.ts';
import { isObject, pointerTo } from '../../spec/index.ts';

/** JSON pointers at which two values differ; the empty pointer where they are of different kinds. Uuids are equal in either case. */
export function differences(a: Json | undefined, b: Json | undefined, at = ''): readonly string[] {
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return [at];
    return a.flatMap((item: Json, index) => differences(item, (b as readonly Json[])[index], `${at}/${index}`));
  }
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => differences(a[key], b[key], pointerTo(at, key)));
  }
  if (typeof a === 'string' && typeof b === 'string')
    return a.toLowerCase() === b.toLowerCase() && (a === b || a.length === 36) ? [] : [at];
  return Object.is(a, b) ? [] : [at];
}

/** The kinds of values that a body is made of, without the values: what two answers about different items share. */
export function shapeOf(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0] as Json)];
  if (isObject(value))
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, shapeOf(value[key])]),
    );
  return value === null || value === undefined ? 'nothing' : typeof value;
}

/** True where two shapes agree but for values that one of them leaves out or gives as null, and lists that one leaves empty. */
export function sameShape(a: Json, b: Json): boolean {
  if (a === 'nothing' || b === 'nothing') return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === 0 || b.length === 0 || sameShape(a[0] as Json, b[0] as Json);
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.every((key) => sameShape(a[key] ?? 'missing', b[key] ?? 'missing') || (a[key] ?? b[key]) === 'nothing');
  }
  return a === b;
}

/** What of an answer must be the same through both forms, told in a few words. */
export function headOf(exchange: Exchange): string {
  const { response } = exchange;
  if (response === undefined) return `no answer (${exchange.failure?.kind ?? 'unknown'})`;
  const success = response.status < 300;
  return success && response.mediaType !== undefined && response.body.length > 0
    ? `status ${response.status}, ${response.mediaType}`
    : `status ${response.status}`;
}
