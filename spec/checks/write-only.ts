import type { Contract, SchemaRef } from '../contract.ts';
import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import { pointerTo } from '../pointer.ts';
import type { ExchangeViolation } from '../violation.ts';
import type { Subject } from './check.ts';

/** Limits how deep and how far a body is searched. */
const MAX_DEPTH = 8;
const MAX_ITEMS = 20;

/**
 * Members of a response that the description declares `writeOnly`. OpenAPI 3.0 says that they should not be sent in responses, so that
 * it is a warning. Alternatives (`oneOf`, `anyOf`) are not searched.
 */
export function writeOnlyMembers(
  { contract, operation }: Subject,
  schema: SchemaRef,
  value: Json,
): readonly ExchangeViolation[] {
  const [instancePointer] = pointersTo(contract, schema, value, '');
  if (instancePointer === undefined) return [];
  return [
    {
      code: 'body-fits-schema/write-only',
      grade: 'inferred',
      subject: instancePointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'),
      message: `${operation.id} returns ${instancePointer}, which is declared writeOnly`,
      expected: `no ${instancePointer} in a response`,
      received: `a value of ${instancePointer}`,
      instancePointer,
    },
  ];
}

function pointersTo(
  contract: Contract,
  ref: SchemaRef,
  value: Json,
  pointer: string,
  depth = MAX_DEPTH,
): readonly string[] {
  const { schema, pointer: at } = contract.resolve(ref);
  if (!isObject(schema) || depth === 0) return [];
  const below = (tokens: readonly (string | number)[], part: Json | undefined, inner: Json, place = pointer) =>
    typeof part === 'boolean' || isObject(part)
      ? pointersTo(contract, { pointer: pointerTo(at, ...tokens), schema: part }, inner, place, depth - 1)
      : [];
  const { properties, items, allOf } = schema;
  const ofAll = Array.isArray(allOf)
    ? (allOf as readonly Json[]).flatMap((part, index) => below(['allOf', index], part, value))
    : [];
  if (Array.isArray(value)) {
    const list = (value as readonly Json[]).slice(0, MAX_ITEMS);
    return [...ofAll, ...list.flatMap((item, index) => below(['items'], items, item, pointerTo(pointer, index)))];
  }
  if (!isObject(value) || !isObject(properties)) return ofAll;
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const inner = Object.hasOwn(value, name) ? value[name] : undefined;
    if (inner === undefined) return [];
    const place = pointerTo(pointer, name);
    if (isObject(property) && property['writeOnly'] === true) return isShown(inner) ? [place] : [];
    return below(['properties', name], property, inner, place);
  });
  return [...ofAll, ...own];
}

/** False for an absent or a masked value. */
function isShown(value: Json): boolean {
  return value !== null && value !== '' && !(typeof value === 'string' && /^[*•·xX.]+$/.test(value));
}
