import type { Keyword } from '../draft.ts';
import { additionalProperties } from './additional-properties.ts';
import { allOf } from './all-of.ts';
import { anyOf } from './any-of.ts';
import { constant } from './const.ts';
import { contains } from './contains.ts';
import { dependentRequired } from './dependent-required.ts';
import { dependentSchemas } from './dependent-schemas.ts';
import { discriminator } from './discriminator.ts';
import { enumeration } from './enum.ts';
import { exclusiveMaximum } from './exclusive-maximum.ts';
import { exclusiveMinimum } from './exclusive-minimum.ts';
import { format } from './format.ts';
import { condition } from './if.ts';
import { items } from './items.ts';
import { maxItems } from './max-items.ts';
import { maxLength } from './max-length.ts';
import { maxProperties } from './max-properties.ts';
import { maximum } from './maximum.ts';
import { minItems } from './min-items.ts';
import { minLength } from './min-length.ts';
import { minProperties } from './min-properties.ts';
import { minimum } from './minimum.ts';
import { multipleOf } from './multiple-of.ts';
import { not } from './not.ts';
import { nullable } from './nullable.ts';
import { oneOf } from './one-of.ts';
import { patternProperties } from './pattern-properties.ts';
import { pattern } from './pattern.ts';
import { prefixItems } from './prefix-items.ts';
import { properties } from './properties.ts';
import { propertyNames } from './property-names.ts';
import { ref } from './ref.ts';
import { required } from './required.ts';
import { type } from './type.ts';
import { unevaluated } from './unevaluated.ts';
import { uniqueItems } from './unique-items.ts';

/** What is understood of JSON Schema 2020-12. Keywords that aren't here demand nothing of a value, or stand beside one that is. */
export const KEYWORDS = {
  $ref: ref,
  $dynamicRef: ref,
  additionalProperties,
  allOf,
  anyOf,
  const: constant,
  contains,
  dependentRequired,
  dependentSchemas,
  discriminator,
  enum: enumeration,
  exclusiveMaximum,
  exclusiveMinimum,
  format,
  if: condition,
  items,
  maxItems,
  maxLength,
  maxProperties,
  maximum,
  minItems,
  minLength,
  minProperties,
  minimum,
  multipleOf,
  not,
  nullable,
  oneOf,
  pattern,
  patternProperties,
  prefixItems,
  properties,
  propertyNames,
  required,
  type,
  unevaluatedItems: unevaluated,
  unevaluatedProperties: unevaluated,
  uniqueItems,
} satisfies Record<string, Keyword>;

/** The keyword's part in gathering; undefined for one that is not understood. */
export function keywordNamed(name: string): Keyword | undefined {
  const known: Readonly<Record<string, Keyword>> = KEYWORDS;
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
