import type { Contract } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Report } from '../problems.ts';

/** What a mend of schemas knows of the description. */
export interface SchemaContext {
  readonly dialect: Contract['dialect'];
  readonly report: Report;
}

/** One step of turning a schema as it was written into JSON Schema 2020-12. */
export type SchemaMend = (schema: JsonObject, pointer: string, context: SchemaContext) => JsonObject;

/** A copy without some keys. */
export function without(schema: JsonObject, ...keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(schema, key))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

/** A copy with one key set; undefined removes it. */
export function withKey(schema: JsonObject, key: string, value: Json | undefined): JsonObject {
  return value === undefined ? without(schema, key) : { ...schema, [key]: value };
}
