import type { Contract, Exchange, Json } from '../../spec/index.ts';
import { count } from '../../spec/count.ts';
import { isObject, pointerTo, readPointer } from '../../spec/index.ts';
import { NO_FORMATS, responseFormats } from './formats.ts';
import type { Formats } from './formats.ts';
import { sameValue } from './same-value.ts';
import type { TestContext } from './context.ts';

/**
 * JSON pointers at which two values differ in what they mean ({@link sameValue}); null is equal to an absent member. Lists
 * of different lengths differ as a whole.
 */
export function differences(
  a: Json | undefined,
  b: Json | undefined,
  formats: Formats = NO_FORMATS,
  at = '',
): readonly string[] {
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return [at];
    return a.flatMap((item: Json, index) =>
      differences(item, (b as readonly Json[])[index], formats, pointerTo(at, index)),
    );
  }
  if (isObject(a) && isObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].flatMap((key) => differences(a[key], b[key], formats, pointerTo(at, key)));
  }
  return sameValue(a, b, formats(at)) ? [] : [at];
}

/** JSON pointers at which two responses of one operation differ. Uuids and times are known also where the description tells no format. */
export function differencesBetween(contract: Contract, one: Exchange, two: Exchange): readonly string[] {
  const operation = contract.operation(one.operation);
  const formats = operation === undefined ? NO_FORMATS : responseFormats(contract, operation);
  const orAny: Formats = (pointer) => (formats(pointer) === 'plain' ? undefined : formats(pointer));
  return differences(one.response?.json, two.response?.json, orAny);
}

/**
 * Differences between two reads of an item that need a request to it. Members that change without one are left out; where one of
 * those differs, members that the description does not name are too, since the service may compute them from it.
 */
export function ownDifferences(
  { contract, knowledge }: Pick<TestContext, 'contract' | 'knowledge'>,
  before: Exchange,
  after: Exchange,
): readonly string[] {
  const all = differencesBetween(contract, before, after);
  const own = all.filter((each) => !knowledge.members.volatile.test(each));
  const operation = contract.operation(before.operation);
  if (own.length === all.length || operation === undefined) return own;
  const described = responseFormats(contract, operation);
  return own.filter((each) => described(each) !== undefined);
}

/**
 * Those of the pointers that do not lie in one of the others. Where the id of an item is among the others, the item has moved in
 * its list, and members that are the same by chance lie in it too.
 */
export function apartFrom(pointers: readonly string[], others: readonly string[]): readonly string[] {
  const places = others.map((each) => each.replace(/\/id$/u, ''));
  return pointers.filter((each) => !places.some((place) => each === place || each.startsWith(`${place}/`)));
}

/** How two values differ at a pointer: by their types or, if these are the same, by another value. */
export function valuesAt(
  a: Json | undefined,
  b: Json | undefined,
  pointer: string,
): { readonly expected: string; readonly received: string } {
  const [one, two] = [a, b].map((each) => kindOf(readPointer(each, pointer)));
  const at = pointer === '' ? '' : ` at ${pointer}`;
  return { expected: `${one}${at}`, received: one === two ? `another value${at}` : `${two}${at}` };
}

function kindOf(value: Json | undefined): string {
  if (Array.isArray(value)) return `a list of ${count(value.length, 'item')}`;
  if (value === null || value === undefined) return 'nothing';
  return isObject(value) ? 'an object' : `a ${typeof value}`;
}

/** The types of all values of a body, which responses about different items have in common. Only the first item of a list counts. */
export function shapeOf(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0] as Json)];
  if (isObject(value))
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, shapeOf(value[key])]),
    );
  return value === null || value === undefined ? 'null' : typeof value;
}

/** True for equal shapes, where null, an absent member and an empty list are equal to any shape. */
export function sameShape(a: Json, b: Json): boolean {
  if (a === 'null' || b === 'null') return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === 0 || b.length === 0 || sameShape(a[0] as Json, b[0] as Json);
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.every((key) => sameShape(a[key] ?? 'absent', b[key] ?? 'absent') || (a[key] ?? b[key]) === 'null');
  }
  return a === b;
}

/** Status and media type of a response: what must be the same for equivalent requests. */
export function statusAndType(exchange: Exchange): string {
  const { response } = exchange;
  if (response === undefined) return `no response (${exchange.failure?.kind ?? 'unknown'})`;
  const success = response.status < 300;
  return success && response.mediaType !== undefined && response.body.length > 0
    ? `status ${response.status}, ${response.mediaType}`
    : `status ${response.status}`;
}
