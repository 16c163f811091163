import { isObject, mapValues } from '../../json.ts';
import { pointerOfRef, pointerTo, readPointer } from '../../pointer.ts';
import type { Contract, SchemaRef } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';

const LONGEST_CHAIN = 16;

/** The effective schema of a value: references resolved, `allOf` merged, null separate. */
export interface View {
  readonly pointer: string;
  readonly keywords: JsonObject;
  /** Types without null; undefined if any is allowed. */
  readonly types: readonly string[] | undefined;
  readonly nullable: boolean;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function merged(parts: readonly JsonObject[]): JsonObject {
  const all = Object.assign({}, ...parts) as JsonObject;
  const properties = Object.assign(
    {},
    ...parts.map((part) => (isObject(part['properties']) ? part['properties'] : {})),
  ) as JsonObject;
  const required = [...new Set(parts.flatMap((part) => listOf(part['required'])))];
  return {
    ...all,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Keywords whose schemas are compared in place: one, a list or a map of them. */
const PLACED: ReadonlySet<string> = new Set(['properties', 'oneOf', 'anyOf', 'items', 'additionalProperties']);

/** Replaces subschemas by their pointers, so that they can be compared in place. */
function anchored(schema: JsonObject, pointer: string): JsonObject {
  return mapValues(schema, (value, keyword) => {
    const at = pointerTo(pointer, keyword);
    if (!PLACED.has(keyword)) return value;
    if (Array.isArray(value)) return value.map((_, index) => pointerTo(at, index));
    if (!isObject(value)) return value;
    return keyword === 'properties' ? mapValues(value, (_, name) => pointerTo(at, name)) : at;
  });
}

function flat(contract: Contract, ref: SchemaRef, depth: number): JsonObject {
  const { schema, pointer } = ref;
  if (!isObject(schema) || depth > LONGEST_CHAIN) return schema === false ? { not: {} } : {};
  const { $ref, allOf, ...own } = schema;
  const referred = typeof $ref === 'string' ? [refAt(contract, pointerOfRef($ref))] : [];
  const parts = [...referred, ...listOf(allOf).map((_, index) => refAt(contract, pointerTo(pointer, 'allOf', index)))];
  return merged([...parts.map((part) => flat(contract, part, depth + 1)), anchored(own, pointer)]);
}

export function refAt(contract: Contract, pointer: string): SchemaRef {
  const schema = readPointer(contract.document, pointer);
  return { pointer, schema: typeof schema === 'boolean' || isObject(schema) ? schema : true };
}

function isNull(contract: Contract, pointer: string): boolean {
  const { schema } = contract.resolve(refAt(contract, pointer));
  return isObject(schema) && schema['type'] === 'null';
}

/** A schema without its wrappers: references, alternatives of one schema and null, an `allOf` of one. */
export interface Canonical {
  readonly ref: SchemaRef;
  readonly nullable: boolean;
}

const ANNOTATION = /^(title|description|default|example|examples|deprecated|readOnly|writeOnly|externalDocs|x-.*)$/;

/** Removes the wrappers of a schema. */
export function canonicalSchema(contract: Contract, given: SchemaRef, depth = 0): Canonical {
  const outer = unwrapped(contract, resolveBare(contract, given));
  const { ref } = outer;
  const parts = isObject(ref.schema) ? listOf(ref.schema['allOf']) : [];
  const only =
    isObject(ref.schema) &&
    parts.length === 1 &&
    Object.keys(ref.schema).every((key) => key === 'allOf' || ANNOTATION.test(key));
  const next = only ? refAt(contract, pointerTo(ref.pointer, 'allOf', 0)) : resolveBare(contract, ref);
  if (next.pointer === ref.pointer || depth > LONGEST_CHAIN) return outer;
  const inner = canonicalSchema(contract, next, depth + 1);
  return { ref: inner.ref, nullable: outer.nullable || inner.nullable };
}

/** Resolves a reference without sibling keywords; with siblings it is a schema of its own. */
function resolveBare(contract: Contract, ref: SchemaRef): SchemaRef {
  const { schema } = ref;
  if (
    !isObject(schema) ||
    typeof schema['$ref'] !== 'string' ||
    !Object.keys(schema).every((key) => key === '$ref' || ANNOTATION.test(key))
  )
    return ref;
  return refAt(contract, pointerOfRef(schema['$ref']));
}

/** Unwraps an alternative of one schema and null. */
function unwrapped(contract: Contract, ref: SchemaRef): Canonical {
  const alternatives = isObject(ref.schema) ? listOf(ref.schema['anyOf']) : [];
  if (alternatives.length !== 2) return { ref, nullable: false };
  const others = alternatives
    .map((_, index) => pointerTo(ref.pointer, 'anyOf', index))
    .filter((pointer) => !isNull(contract, pointer));
  const [only] = others;
  return others.length === 1 && only !== undefined
    ? { ref: refAt(contract, only), nullable: true }
    : { ref, nullable: false };
}

/** The effective schema of a value. */
export function viewAt(contract: Contract, given: SchemaRef): View {
  const { ref, nullable } = canonicalSchema(contract, given);
  const keywords = flat(contract, ref, 0);
  const written = keywords['type'];
  const types =
    written === undefined ? undefined : [written].flat().filter((type): type is string => typeof type === 'string');
  const listed = listOf(keywords['enum']);
  return {
    pointer: ref.pointer,
    keywords,
    types: types?.filter((type) => type !== 'null'),
    nullable:
      nullable ||
      types?.includes('null') === true ||
      (types === undefined && (listed.length === 0 || listed.includes(null))),
  };
}
