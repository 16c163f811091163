import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject, SchemaRef } from '../../../spec/index.ts';
import type { Alternative, Place } from '../draft.ts';
import { listUnder, VIRTUAL } from '../place.ts';

/** The alternatives of `anyOf` or `oneOf`; with a discriminator beside them each also names itself. */
export function alternatives(keyword: 'anyOf' | 'oneOf', value: Json, place: Place): Alternative[] {
  const discriminator = place.naming ? place.schema['discriminator'] : undefined;
  return listUnder(place, keyword, value).map((ref) => {
    const named = isObject(discriminator) ? naming(discriminator, ref, place) : undefined;
    return named === undefined ? { refs: [ref] } : { refs: [ref, named.schema], require: [named.property] };
  });
}

function naming(
  discriminator: JsonObject,
  ref: SchemaRef,
  place: Place,
): { schema: SchemaRef; property: string } | undefined {
  const property = discriminator['propertyName'];
  const target = isObject(ref.schema) ? ref.schema['$ref'] : undefined;
  if (typeof property !== 'string' || typeof target !== 'string') return undefined;
  const name = nameFor(target, discriminator['mapping']);
  const pointer = `${VIRTUAL}${place.pointer}/discriminator/${name}`;
  return { property, schema: { pointer, schema: { properties: { [property]: { const: name } } } } };
}

/** The value that stands for a schema: its key in the mapping, else the last part of its `$ref`. */
export function nameFor(target: string, mapping: Json | undefined): string {
  const last = target.split('/').at(-1) ?? target;
  const keys = isObject(mapping) ? Object.entries(mapping) : [];
  return keys.find(([, to]) => to === target || to === last)?.[0] ?? last;
}
