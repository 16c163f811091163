import { without } from './context.ts';
import type { SchemaMend } from './context.ts';

const NAMES: readonly string[] = [
  '$id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$async',
  '$comment',
];

/** Beside `$ref`, OpenAPI 3.0 and Swagger 2 let only what says nothing about values stand. */
const BESIDE_REF = /^(\$ref|nullable|description|title|default|example|deprecated|readOnly|writeOnly|x-.*)$/;

/** Removes what gives a schema a base address of its own: references count from the document. */
export const mendIdentifiers: SchemaMend = (schema, _pointer, context) => {
  const dynamic = schema['$dynamicRef'] ?? schema['$recursiveRef'];
  const named =
    typeof dynamic === 'string' ? { ...without(schema, '$dynamicRef', '$recursiveRef'), $ref: dynamic } : schema;
  const plain = NAMES.some((name) => typeof named[name] !== 'undefined' && typeof named[name] !== 'object')
    ? without(named, ...NAMES)
    : named;
  if (context.dialect === 'openapi-3.1' || typeof plain['$ref'] !== 'string') return plain;
  return Object.fromEntries(Object.entries(plain).filter(([key]) => BESIDE_REF.test(key)));
};
