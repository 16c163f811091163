import { isObject } from '../../json.ts';
import { mendBounds } from './bounds.ts';
import { mendDefinitions } from './definitions.ts';
import { mendIdentifiers } from './identifiers.ts';
import { mendKeywords } from './keywords.ts';
import { mendNullable } from './nullable.ts';
import { mendPatterns } from './patterns.ts';
import { mendTuples } from './tuples.ts';
import { mendTypes } from './types.ts';
import type { SchemaContext, SchemaMend } from './context.ts';
import type { Json } from '../../json.ts';

/** In their order: each may rely on what the ones before it left. */
const ON_THE_WAY_DOWN: readonly SchemaMend[] = [
  mendDefinitions,
  mendTuples,
  mendIdentifiers,
  mendBounds,
  mendKeywords,
  mendPatterns,
  mendTypes,
];

/** Makes one schema (not those in it) JSON Schema 2020-12. */
export function mendSchema(schema: Json, pointer: string, context: SchemaContext): Json {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) {
    context.report({
      code: 'schema',
      severity: 'warning',
      pointer,
      message: `A schema cannot be ${JSON.stringify(schema)}.`,
      mend: 'Read as any value.',
    });
    return true;
  }
  return ON_THE_WAY_DOWN.reduce((node, mend) => mend(node, pointer, context), schema);
}

/** Lets null in where a schema says so; the last step, because it can move a schema into an alternative. */
export function mendNull(schema: Json, pointer: string, context: SchemaContext): Json {
  return isObject(schema) ? mendNullable(schema, pointer, context) : schema;
}
