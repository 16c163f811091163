import type { Keyword } from '../constraints.ts';
import * as arrays from './arrays.ts';
import * as combining from './combining.ts';
import * as objects from './objects.ts';
import * as scalars from './scalars.ts';

/** The keywords that restrict values. Those like `then` and `minContains` are read with the keyword they belong to. */
export const KEYWORDS = {
  $ref: combining.ref,
  $dynamicRef: combining.ref,
  additionalProperties: objects.additionalProperties,
  allOf: combining.allOf,
  anyOf: combining.anyOf,
  const: scalars.constant,
  contains: arrays.contains,
  dependentRequired: objects.dependentRequired,
  dependentSchemas: objects.dependentSchemas,
  discriminator: combining.discriminator,
  enum: scalars.enumeration,
  exclusiveMaximum: scalars.atMost('exclusiveMax'),
  exclusiveMinimum: scalars.atLeast('exclusiveMin'),
  format: scalars.format,
  if: combining.condition,
  items: arrays.items,
  maxItems: scalars.bound('array', 'list', 'max'),
  maxLength: scalars.bound('string', 'text', 'max'),
  maxProperties: scalars.bound('object', 'size', 'max'),
  maximum: scalars.atMost('max'),
  minItems: scalars.bound('array', 'list', 'min'),
  minLength: scalars.bound('string', 'text', 'min'),
  minProperties: scalars.bound('object', 'size', 'min'),
  minimum: scalars.atLeast('min'),
  multipleOf: scalars.multipleOf,
  not: combining.not,
  nullable: scalars.nullable,
  oneOf: combining.oneOf,
  pattern: scalars.pattern,
  patternProperties: objects.patternProperties,
  prefixItems: arrays.prefixItems,
  properties: objects.properties,
  propertyNames: objects.propertyNames,
  required: objects.required,
  type: scalars.type,
  unevaluatedItems: objects.unevaluated,
  unevaluatedProperties: objects.unevaluated,
  uniqueItems: arrays.uniqueItems,
} satisfies Record<string, Keyword>;

/** The handler of a keyword; undefined if it does not restrict values or is not supported. */
export function keywordNamed(name: string): Keyword | undefined {
  const known: Readonly<Record<string, Keyword>> = KEYWORDS;
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
