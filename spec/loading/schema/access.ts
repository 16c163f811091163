import { isObject } from '../../json.ts';
import { pointerOfRef, readPointer } from '../../pointer.ts';
import { rewriteDocument } from '../rewrite.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { NodeKind } from '../rewrite.ts';

/** Properties that only responses have, and those that only requests have. */
export type Access = 'readOnly' | 'writeOnly';

/** Limits the compositions that are searched for properties. */
const MAX_DEPTH = 8;

function targetOf(document: JsonObject, schema: Json): Json | undefined {
  const ref = isObject(schema) ? schema['$ref'] : undefined;
  return typeof ref === 'string' ? readPointer(document, pointerOfRef(ref)) : undefined;
}

/** Copies `readOnly` and `writeOnly` of a referenced schema beside the reference, so that a property shows them itself. */
export function markReferences(document: JsonObject): JsonObject {
  const marked = (property: Json): Json => {
    const target = targetOf(document, property);
    if (!isObject(property) || !isObject(target)) return property;
    const { readOnly, writeOnly } = target;
    if (readOnly !== true && writeOnly !== true) return property;
    return { ...(readOnly === true ? { readOnly } : {}), ...(writeOnly === true ? { writeOnly } : {}), ...property };
  };
  const after = (kind: NodeKind, node: Json): Json => {
    const properties = kind === 'schema' && isObject(node) ? node['properties'] : undefined;
    if (!isObject(node) || !isObject(properties)) return node;
    const entries = Object.entries(properties).map(([name, property]) => [name, marked(property)] as const);
    return entries.every(([name, property]) => property === properties[name])
      ? node
      : { ...node, properties: Object.fromEntries(entries) };
  };
  return rewriteDocument({ after }, document);
}

/** The names of a schema's properties with this access, including those that it takes from others with `allOf` or `$ref`. */
function namesWith(document: JsonObject, access: Access, schema: Json | undefined, depth = 0): readonly string[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return [];
  const { properties, allOf } = schema;
  const own = isObject(properties) ? Object.entries(properties) : [];
  const others = [targetOf(document, schema), ...(Array.isArray(allOf) ? (allOf as readonly Json[]) : [])];
  return [
    ...own.filter(([, property]) => isObject(property) && property[access] === true).map(([name]) => name),
    ...others.flatMap((other) => namesWith(document, access, other, depth + 1)),
  ];
}

/** The schema itself where it requires none of the names. */
function withoutRequired(schema: Json, names: ReadonlySet<string>): Json {
  if (!isObject(schema)) return schema;
  const { required, allOf } = schema;
  const isChanged = Array.isArray(required) && required.some((name) => names.has(String(name)));
  const parts = Array.isArray(allOf) ? (allOf as readonly Json[]).map((each) => withoutRequired(each, names)) : [];
  const arePartsChanged = Array.isArray(allOf) && parts.some((each, at) => each !== allOf[at]);
  if (!isChanged && !arePartsChanged) return schema;
  return {
    ...schema,
    ...(isChanged ? { required: required.filter((name) => !names.has(String(name))) } : {}),
    ...(arePartsChanged ? { allOf: parts } : {}),
  };
}

/** The document in which properties with this access are not required: `readOnly` ones of requests, `writeOnly` ones of responses. */
export function withoutRequiredAccess(document: JsonObject, access: Access): JsonObject {
  const before = (kind: NodeKind, node: Json): Json => {
    if (kind !== 'schema' || !isObject(node) || !('required' in node || 'allOf' in node)) return node;
    const names = new Set(namesWith(document, access, node));
    return names.size === 0 ? node : withoutRequired(node, names);
  };
  return rewriteDocument({ before }, document);
}
