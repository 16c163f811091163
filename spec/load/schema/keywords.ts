import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import type { SchemaMend } from './context.ts';
import type { Json } from '../../json.ts';

/** A value that a keyword can have, from what stands there; undefined where nothing can be made of it. */
type Reading = (value: Json) => Json | undefined;

const number: Reading = (value) => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
};
const count: Reading = (value) => {
  const read = number(value);
  return typeof read === 'number' && read >= 0 ? Math.ceil(read) : undefined;
};
const positive: Reading = (value) => {
  const read = number(value);
  return typeof read === 'number' && read > 0 ? read : undefined;
};
const flag: Reading = (value) =>
  value === 'true' || value === true ? true : value === 'false' || value === false ? false : undefined;
const text: Reading = (value) => (typeof value === 'string' ? value : undefined);
const names: Reading = (value) =>
  Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === 'string'))] : undefined;
const schema: Reading = (value) => (typeof value === 'boolean' || isObject(value) ? value : undefined);
const schemas: Reading = (value) =>
  Array.isArray(value) && value.length > 0 ? value.map((item: Json) => schema(item) ?? true) : undefined;
const schemaMap: Reading = (value) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, schema(item) ?? true]))
    : undefined;
const values: Reading = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined);

function each(reading: Reading, ...keywords: readonly string[]): Readonly<Record<string, Reading>> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, reading]));
}

/** What each keyword must hold. Keywords that are not here are taken as they are. */
const READINGS: Readonly<Record<string, Reading>> = {
  ...each(
    count,
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
  ),
  ...each(number, 'minimum', 'maximum'),
  ...each(positive, 'multipleOf'),
  ...each(flag, 'uniqueItems'),
  ...each(text, 'pattern', 'format', '$ref'),
  ...each(names, 'required'),
  ...each(values, 'enum'),
  ...each(schemaMap, 'properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'),
  ...each(schemas, 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...each(
    schema,
    'items',
    'contains',
    'additionalProperties',
    'propertyNames',
    'not',
    'if',
    'then',
    'else',
    'unevaluatedItems',
    'unevaluatedProperties',
  ),
};

/** Keywords with a value of the wrong kind get the value that is meant, or are left out. */
export const mendKeywords: SchemaMend = (node, pointer, context) => {
  const read = Object.entries(node).map(([key, value]) => ({ key, value, read: readKeyword(key, value) }));
  const wrong = read.filter((item) => item.read === undefined || !sameKind(item.read, item.value));
  for (const item of wrong) {
    context.report({
      code: 'keyword',
      severity: 'warning',
      pointer: pointerTo(pointer, item.key),
      message: `${item.key} cannot be ${shown(item.value)}.`,
      mend: item.read === undefined ? 'Left out.' : `Read as ${shown(item.read)}.`,
    });
  }
  return wrong.length === 0
    ? node
    : Object.fromEntries(read.flatMap((item) => (item.read === undefined ? [] : [[item.key, item.read]])));
};

function readKeyword(key: string, value: Json): Json | undefined {
  const reading = Object.hasOwn(READINGS, key) ? READINGS[key] : undefined;
  return reading === undefined ? value : reading(value);
}

function sameKind(read: Json, value: Json): boolean {
  if (Array.isArray(read) && Array.isArray(value))
    return read.length === value.length && read.every((item, index) => typeof item === typeof value[index]);
  if (isObject(read) && isObject(value))
    return Object.entries(read).every(([key, item]) => typeof item === typeof value[key]);
  return read === value;
}

function shown(value: Json): string {
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}
