import { isObject, pointerTo, pointerTokens } from '../../spec/index.ts';
import type { Contract, JsonSchema, MediaContent, Operation, SchemaRef } from '../../spec/index.ts';

/**
 * What the description says of the value at a JSON pointer: its format, for example `date-time`, or `plain` for a value with a
 * type and no format. Undefined: it says nothing.
 */
export type Formats = (pointer: string) => string | undefined;

/** Knows no formats. */
export const NO_FORMATS: Formats = () => undefined;

const ofOperations = new WeakMap<Operation, Map<'body' | 'response', Formats>>();

/** Formats in the bodies that an operation is sent. */
export function bodyFormats(contract: Contract, operation: Operation): Formats {
  return remembered(operation, 'body', () => formatsOf(contract, schemaIn(operation.body?.content)));
}

/** Formats in the successful responses of an operation. */
export function responseFormats(contract: Contract, operation: Operation): Formats {
  const success = operation.responses.find(({ status }) => status.startsWith('2'));
  return remembered(operation, 'response', () => formatsOf(contract, schemaIn(success?.content)));
}

function remembered(operation: Operation, part: 'body' | 'response', make: () => Formats): Formats {
  const known = ofOperations.get(operation) ?? new Map<typeof part, Formats>();
  ofOperations.set(operation, known);
  const formats = known.get(part) ?? make();
  known.set(part, formats);
  return formats;
}

function schemaIn(content: readonly MediaContent[] | undefined): SchemaRef | undefined {
  return content?.find((each) => each.schema !== undefined)?.schema;
}

/** The formats of a schema. */
export function formatsOf(contract: Contract, schema: SchemaRef | undefined): Formats {
  if (schema === undefined) return NO_FORMATS;
  const known = new Map<string, string | undefined>();
  return (pointer) => {
    if (!known.has(pointer)) known.set(pointer, formatAt(contract, schema, pointerTokens(pointer)));
    return known.get(pointer);
  };
}

function formatAt(contract: Contract, schema: SchemaRef, tokens: readonly string[]): string | undefined {
  let at: SchemaRef | undefined = schema;
  for (const token of tokens)
    at = at === undefined ? undefined : (propertyOf(contract, at, token) ?? restOf(contract, at));
  return at === undefined ? undefined : formatIn(contract, at);
}

function formatIn(contract: Contract, ref: SchemaRef): string | undefined {
  for (const { schema } of alternatives(contract, ref)) {
    if (!isObject(schema)) continue;
    if (typeof schema['format'] === 'string') return schema['format'];
    const types = [schema['type'] ?? []].flat().filter((type) => type !== 'null');
    if (types.length > 0 || 'enum' in schema || 'const' in schema) return 'plain';
  }
  return undefined;
}

/** The schema of a member that the schema names. */
export function propertyOf(contract: Contract, ref: SchemaRef, token: string): SchemaRef | undefined {
  for (const { pointer, schema } of alternatives(contract, ref)) {
    const properties = isObject(schema) ? schema['properties'] : undefined;
    if (isObject(properties) && Object.hasOwn(properties, token))
      return { pointer: pointerTo(pointer, 'properties', token), schema: properties[token] as JsonSchema };
  }
  return undefined;
}

/** The schema of the items, or of the members that the schema does not name. */
export function restOf(contract: Contract, ref: SchemaRef): SchemaRef | undefined {
  for (const { pointer, schema } of alternatives(contract, ref))
    for (const key of ['items', 'additionalProperties']) {
      const rest = isObject(schema) ? schema[key] : undefined;
      if (isObject(rest)) return { pointer: pointerTo(pointer, key), schema: rest };
    }
  return undefined;
}

/** Deepest nesting of compositions that is looked into. */
const DEEPEST = 4;

/** A schema and those that it is composed of, references resolved. */
function alternatives(contract: Contract, ref: SchemaRef, depth = 0): readonly SchemaRef[] {
  const resolved = contract.resolve(ref);
  const { pointer, schema } = resolved;
  if (!isObject(schema) || depth > DEEPEST) return [resolved];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
    const list = schema[key];
    return Array.isArray(list)
      ? (list as readonly JsonSchema[]).map((each, at) => ({ pointer: pointerTo(pointer, key, at), schema: each }))
      : [];
  });
  return [resolved, ...parts.flatMap((each) => alternatives(contract, each, depth + 1))];
}
