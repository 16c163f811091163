import { isObject, without } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { repairKeywords, repairPatterns, repairTypes } from './repair.ts';
import type { Contract } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Reporter } from '../report.ts';

export interface SchemaContext {
  readonly dialect: Contract['dialect'];
  readonly report: Reporter;
}

/** One step from a schema as written to JSON Schema 2020-12. */
export type SchemaStep = (schema: JsonObject, pointer: string, context: SchemaContext) => JsonObject;

const IDENTIFIERS: readonly string[] = [
  '$id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$async',
  '$comment',
];

/** Sibling keys of `$ref` with an effect in OpenAPI 3.0 and Swagger 2; all others are ignored there. */
const BESIDE_REF = /^(\$ref|nullable|description|title|default|example|deprecated|readOnly|writeOnly|x-.*)$/;

/** Keywords that null would have to satisfy too: null then becomes an alternative of the whole schema. */
const APPLICATORS: readonly string[] = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

const convertDefinitions: SchemaStep = (schema, _pointer, context) => {
  const ref = schema['$ref'];
  if (context.dialect !== 'swagger-2' || typeof ref !== 'string' || !ref.startsWith('#/definitions/')) return schema;
  return { ...schema, $ref: ref.replace('#/definitions/', '#/components/schemas/') };
};

/** A list of `items` becomes `prefixItems`, `additionalItems` becomes `items`. */
const convertTuples: SchemaStep = (schema) => {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  const prefixItems = items as readonly Json[];
  const more = typeof additionalItems === 'boolean' || isObject(additionalItems) ? { items: additionalItems } : {};
  return { ...rest, prefixItems, ...more };
};

/** Removes identifiers: references are resolved from the document's root. */
const removeIdentifiers: SchemaStep = (schema, _pointer, context) => {
  const dynamic = schema['$dynamicRef'] ?? schema['$recursiveRef'];
  const named =
    typeof dynamic === 'string' ? { ...without(schema, '$dynamicRef', '$recursiveRef'), $ref: dynamic } : schema;
  const plain = IDENTIFIERS.some((name) => typeof named[name] !== 'undefined' && typeof named[name] !== 'object')
    ? without(named, ...IDENTIFIERS)
    : named;
  if (context.dialect === 'openapi-3.1' || typeof plain['$ref'] !== 'string') return plain;
  return Object.fromEntries(Object.entries(plain).filter(([key]) => BESIDE_REF.test(key)));
};

/** Converts a boolean `exclusiveMinimum` or `exclusiveMaximum` to a number. */
function convertBound(keyword: string, bound: string): SchemaStep {
  return (schema, pointer, context) => {
    const written = schema[keyword];
    if (written === undefined || typeof written === 'number') return schema;
    if (typeof written !== 'boolean') {
      const message = `${keyword} cannot be ${JSON.stringify(written)}.`;
      context.report.warning('keyword', pointerTo(pointer, keyword), message, 'Ignored.');
    }
    const limit = schema[bound];
    return written === true && typeof limit === 'number'
      ? { ...without(schema, keyword, bound), [keyword]: limit }
      : without(schema, keyword);
  };
}

function withNull(values: readonly Json[]): readonly Json[] {
  return values.includes(null) ? values : [...values, null];
}

function allowNull({ const: constant, ...schema }: JsonObject): JsonObject {
  const { type, enum: listed } = schema;
  const types: readonly Json[] = Array.isArray(type) ? type : [type ?? null];
  return {
    ...schema,
    ...(type === undefined ? {} : { type: types.includes('null') ? type : [...types, 'null'] }),
    ...(Array.isArray(listed) ? { enum: withNull(listed) } : {}),
    ...(constant === undefined ? {} : { enum: withNull([constant]) }),
  };
}

/** `nullable` and `x-nullable` become the type null, also with `enum` and beside `$ref`. */
const convertNullable: SchemaStep = (schema, _pointer, context) => {
  const written = context.dialect === 'openapi-3.1' ? schema['nullable'] : (schema['nullable'] ?? schema['x-nullable']);
  if (written === undefined || typeof written === 'object') return schema;
  const rest = without(schema, 'nullable', 'x-nullable');
  if (written !== true && written !== 'true') return rest;
  return APPLICATORS.some((keyword) => keyword in rest) ? { anyOf: [rest, { type: 'null' }] } : allowNull(rest);
};

/** The steps in order: each relies on the previous ones. */
const STEPS: readonly SchemaStep[] = [
  convertDefinitions,
  convertTuples,
  removeIdentifiers,
  convertBound('exclusiveMinimum', 'minimum'),
  convertBound('exclusiveMaximum', 'maximum'),
  repairKeywords,
  repairPatterns,
  repairTypes,
];

/** Converts one schema, without its subschemas, to JSON Schema 2020-12; run before its subschemas are converted. */
export function convertSchema(schema: Json, pointer: string, context: SchemaContext): Json {
  if (typeof schema === 'boolean') return schema;
  if (isObject(schema)) return STEPS.reduce((node, step) => step(node, pointer, context), schema);
  context.report.warning('schema', pointer, `A schema cannot be ${JSON.stringify(schema)}.`, 'Any value is allowed.');
  return true;
}

/** Converts `nullable`; run after the subschemas, because it can move a schema into an alternative. */
export function convertNull(schema: Json, pointer: string, context: SchemaContext): Json {
  return isObject(schema) ? convertNullable(schema, pointer, context) : schema;
}
