import { without } from './context.ts';
import type { SchemaMend } from './context.ts';
import type { Json, JsonObject } from '../../json.ts';

/** Keywords beside which null is let in by an alternative, because it must pass them too. */
const APPLIED: readonly string[] = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

function withNull(values: readonly Json[]): readonly Json[] {
  return values.includes(null) ? values : [...values, null];
}

function letNullIn(schema: JsonObject): JsonObject {
  const types = schema['type'];
  const listed = schema['enum'];
  const constant = schema['const'];
  return {
    ...without(schema, 'const'),
    ...(types === undefined ? {} : { type: withType(types) }),
    ...(Array.isArray(listed) ? { enum: withNull(listed) } : {}),
    ...(constant === undefined ? {} : { enum: withNull([constant]) }),
  };
}

function withType(types: Json): Json {
  const names: readonly Json[] = Array.isArray(types) ? types : [types];
  return names.includes('null') ? types : [...names, 'null'];
}

/** `nullable` and `x-nullable` become a type, also with `enum` and beside `$ref`. */
export const mendNullable: SchemaMend = (schema, _pointer, context) => {
  const written = context.dialect === 'openapi-3.1' ? schema['nullable'] : (schema['nullable'] ?? schema['x-nullable']);
  if (written === undefined || typeof written === 'object') return schema;
  const rest = without(schema, 'nullable', 'x-nullable');
  if (written !== true && written !== 'true') return rest;
  if (!APPLIED.some((keyword) => keyword in rest)) return letNullIn(rest);
  return { anyOf: [rest, { type: 'null' }] };
};
