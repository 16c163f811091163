import { isObject, pointerTo } from '../../spec/index.ts';
import type { Contract, Json, JsonSchema, Parameter, SchemaRef } from '../../spec/index.ts';

/** The schema of a parameter, references resolved; empty where it is a boolean. */
export function parameterSchema(contract: Contract, parameter: Parameter): Readonly<Record<string, Json>> {
  const { schema } = contract.resolve(parameter.schema);
  return isObject(schema) ? schema : {};
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
