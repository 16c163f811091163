import { isObject, pointerTo } from '../../spec/index.ts';
import type { Contract, Json, JsonSchema, Parameter, SchemaRef } from '../../spec/index.ts';

/** The resolved schema of a parameter, of one that may be null that of its other values; empty where it is a boolean. */
export function parameterSchema(contract: Contract, parameter: Parameter): Readonly<Record<string, Json>> {
  const [own = {}, ...parts] = alternatives(contract, parameter.schema).flatMap(({ schema }) =>
    isObject(schema) && schema['type'] !== 'null' ? [schema] : [],
  );
  const merged = parts.length === 1 ? { ...parts[0], ...own } : { ...listedIn(parts), ...own };
  const types = Array.isArray(merged['type']) ? merged['type'].filter((each) => each !== 'null') : [];
  return types.length === 1 ? { ...merged, type: types[0] as string } : merged;
}

/** The values that alternatives list together, and their type. */
function listedIn(parts: readonly Readonly<Record<string, Json>>[]): Readonly<Record<string, Json>> {
  const listed = parts.flatMap((each) => each['enum'] ?? (each['const'] === undefined ? [] : [each['const']]));
  const isListed = parts.length > 1 && parts.every((each) => each['enum'] !== undefined || each['const'] !== undefined);
  const [type, ...others] = new Set(parts.map((each) => each['type']));
  return isListed ? { enum: listed, ...(type === undefined || others.length > 0 ? {} : { type }) } : {};
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

/** Deepest nesting of compositions that is followed. */
const MOST_LEVELS = 4;

/** A schema and those that it is composed of, references resolved. */
export function alternatives(contract: Contract, ref: SchemaRef, depth = 0): readonly SchemaRef[] {
  const resolved = contract.resolve(ref);
  const { pointer, schema } = resolved;
  if (!isObject(schema) || depth > MOST_LEVELS) return [resolved];
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
    const list = schema[key];
    return Array.isArray(list)
      ? (list as readonly JsonSchema[]).map((each, at) => ({ pointer: pointerTo(pointer, key, at), schema: each }))
      : [];
  });
  return [resolved, ...parts.flatMap((each) => alternatives(contract, each, depth + 1))];
}

/** Whether a schema of a list names a member of its items; the list may be in a wrapper. */
export function describesMember(contract: Contract, ref: SchemaRef, member: string, depth = 0): boolean {
  if (propertyOf(contract, ref, member) !== undefined) return true;
  if (depth > MOST_LEVELS) return false;
  const inner = alternatives(contract, ref).flatMap(({ pointer, schema }) => {
    const { items, additionalProperties, properties } = isObject(schema) ? schema : {};
    const named = Object.entries(isObject(properties) ? properties : {}).map(([name, each]) => ({
      pointer: pointerTo(pointer, 'properties', name),
      schema: each,
    }));
    const rest = Object.entries({ items, additionalProperties }).map(([key, each]) => ({
      pointer: pointerTo(pointer, key),
      schema: each,
    }));
    return [...rest, ...named.filter((each) => restOf(contract, each as SchemaRef) !== undefined)];
  });
  return inner.some((each) => isObject(each.schema) && describesMember(contract, each as SchemaRef, member, depth + 1));
}
