import { isObject, mapValues } from '../json.ts';
import { pointerFragment, pointerTo, readPointer } from '../pointer.ts';
import { decodePercent } from '../serialise/encode.ts';
import type { Json, JsonObject } from '../json.ts';

/** References to schemas outside `definitions`, as bundlers write them. They move when the document is converted. */
const MOVING = /^#\/(?:paths|responses|parameters)\/.*\/schema(?:\/|$)/;

function mapRefs(node: Json, change: (ref: string) => string): Json {
  if (Array.isArray(node)) return (node as readonly Json[]).map((item) => mapRefs(item, change));
  if (!isObject(node)) return node;
  return mapValues(node, (value, key) =>
    key === '$ref' && typeof value === 'string' ? change(value) : mapRefs(value, change),
  );
}

/** A Swagger 2 document whose schemas outside `definitions` that are referred to are definitions too. */
export function withMovingSchemas(document: JsonObject): JsonObject {
  const found = new Map<string, Json>();
  const change = (ref: string): string => {
    if (!MOVING.test(ref)) return ref;
    const place = decodePercent(ref.slice(1));
    const schema = readPointer(document, place);
    if (schema === undefined) return ref;
    found.set(place, schema);
    return pointerFragment(pointerTo('', 'definitions', place));
  };
  const changed = mapRefs(document, change);
  if (found.size === 0 || !isObject(changed)) return document;
  const definitions: Record<string, Json> = isObject(changed['definitions']) ? { ...changed['definitions'] } : {};
  // A schema may refer to further ones, which are then visited too.
  for (const [place, schema] of found) definitions[place] = mapRefs(schema, change);
  return { ...changed, definitions };
}
