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
  exclusiveMaximum: scalars.exclusiveMaximum,
  exclusiveMinimum: scalars.exclusiveMinimum,
  format: scalars.format,
  if: combining.condition,
  items: arrays.items,
  maxItems: arrays.maxItems,
  maxLength: scalars.maxLength,
  maxProperties: objects.maxProperties,
  maximum: scalars.maximum,
  minItems: arrays.minItems,
  minLength: scalars.minLength,
  minProperties: objects.minProperties,
  minimum: scalars.minimum,
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
