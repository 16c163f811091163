import { isObject, mapValues, scalarText, without } from '../../json.ts';
import { patternProblem } from '../../pattern.ts';
import { pointerTo } from '../../pointer.ts';
import { relaxed } from './relaxed.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { SchemaContext, SchemaStep } from './convert.ts';

/** Reads the value of a keyword; undefined if it is malformed. */
type Reader = (value: Json) => Json | undefined;

const number: Reader = (value) => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
};
const count: Reader = (value) => {
  const read = number(value);
  return typeof read === 'number' && read >= 0 ? Math.ceil(read) : undefined;
};
const positive: Reader = (value) => {
  const read = number(value);
  return typeof read === 'number' && read > 0 ? read : undefined;
};
const flag: Reader = (value) =>
  value === 'true' || value === true ? true : value === 'false' || value === false ? false : undefined;
const text: Reader = (value) => (typeof value === 'string' ? value : undefined);
const names: Reader = (value) =>
  Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === 'string'))] : undefined;
const schema: Reader = (value) => (typeof value === 'boolean' || isObject(value) ? value : undefined);
const schemas: Reader = (value) =>
  Array.isArray(value) && value.length > 0 ? value.map((item: Json) => schema(item) ?? true) : undefined;
const schemaMap: Reader = (value) => (isObject(value) ? mapValues(value, (item) => schema(item) ?? true) : undefined);
const values: Reader = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined);

function each(reader: Reader, keywords: string): Readonly<Record<string, Reader>> {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, reader]));
}

/** Readers by keyword; other keywords stay unchanged. */
const READERS: Readonly<Record<string, Reader>> = {
  ...each(count, 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'),
  ...each(number, 'minimum maximum'),
  ...each(positive, 'multipleOf'),
  ...each(flag, 'uniqueItems'),
  ...each(text, 'pattern format $ref'),
  ...each(names, 'required'),
  ...each(values, 'enum'),
  ...each(schemaMap, 'properties patternProperties $defs definitions dependentSchemas'),
  ...each(schemas, 'allOf anyOf oneOf prefixItems'),
  ...each(schema, 'items contains additionalProperties propertyNames not if then else'),
  ...each(schema, 'unevaluatedItems unevaluatedProperties'),
};

/** Replaces keyword values of the wrong kind by the intended value, or removes them. */
export const repairKeywords: SchemaStep = (node, pointer, context) => {
  const entries = Object.entries(node).map(([key, value]) => ({ key, value, read: readKeyword(key, value) }));
  const wrong = entries.filter((item) => item.read === undefined || !sameKind(item.read, item.value));
  if (wrong.length === 0) return node;
  for (const { key, value, read } of wrong) {
    const hint = read === undefined ? 'Ignored.' : `Read as ${shortened(read)}.`;
    context.report.warning('keyword', pointerTo(pointer, key), `${key} cannot be ${shortened(value)}.`, hint);
  }
  const kept = Object.fromEntries(entries.flatMap(({ key, read }) => (read === undefined ? [] : [[key, read]])));
  return wrong.some(({ read }) => read === undefined) ? relaxed(kept) : kept;
};

function readKeyword(key: string, value: Json): Json | undefined {
  const reader = Object.hasOwn(READERS, key) ? READERS[key] : undefined;
  return reader === undefined ? value : reader(value);
}

function sameKind(read: Json, value: Json): boolean {
  if (Array.isArray(read) && Array.isArray(value))
    return read.length === value.length && read.every((item, index) => typeof item === typeof value[index]);
  if (isObject(read) && isObject(value))
    return Object.entries(read).every(([key, item]) => typeof item === typeof value[key]);
  return read === value;
}

function shortened(value: Json): string {
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}

function isUsablePattern(pattern: string, pointer: string, context: SchemaContext): boolean {
  const reason = patternProblem(pattern);
  if (reason === undefined) return true;
  const hint =
    'Use ECMA-262 syntax (no inline flags, no slashes around it, ^ and $ for the ends). The pattern is ignored.';
  context.report.warning('pattern', pointer, reason, hint);
  return false;
}

/** Removes patterns that JavaScript cannot compile. */
export const repairPatterns: SchemaStep = (node, pointer, context) => {
  const { pattern, patternProperties } = node;
  const usable = typeof pattern !== 'string' || isUsablePattern(pattern, pointerTo(pointer, 'pattern'), context);
  const rest = usable ? node : relaxed(node, 'pattern');
  if (!isObject(patternProperties)) return rest;
  const entries = Object.entries(patternProperties);
  const kept = entries.filter(([key]) => isUsablePattern(key, pointerTo(pointer, 'patternProperties', key), context));
  return { ...(kept.length < entries.length ? relaxed(rest) : rest), patternProperties: Object.fromEntries(kept) };
};

interface Meaning {
  readonly type?: string;
  readonly format?: string;
}

const TYPES: readonly string[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const spelled = (names: string, meaning: Meaning): Record<string, Meaning> =>
  Object.fromEntries(names.split(' ').map((name) => [name, meaning]));

/** Type names of programming languages with a clear meaning. */
const SPELLINGS: Readonly<Record<string, Meaning>> = {
  ...spelled('int short byte', { type: 'integer' }),
  ...spelled('int32', { type: 'integer', format: 'int32' }),
  ...spelled('int64 long', { type: 'integer', format: 'int64' }),
  ...spelled('float double decimal num', { type: 'number' }),
  ...spelled('str text char', { type: 'string' }),
  ...spelled('guid uuid', { type: 'string', format: 'uuid' }),
  ...spelled('date', { type: 'string', format: 'date' }),
  ...spelled('datetime date-time', { type: 'string', format: 'date-time' }),
  ...spelled('bool', { type: 'boolean' }),
  ...spelled('list', { type: 'array' }),
  ...spelled('dict map', { type: 'object' }),
  ...spelled('none', { type: 'null' }),
  ...spelled('file any mixed', {}),
};

function meaningOf(name: Json): Meaning | undefined {
  if (name === null) return { type: 'null' };
  const lower = scalarText(name).toLowerCase();
  return TYPES.includes(lower) ? { type: lower } : SPELLINGS[lower];
}

/** Replaces unknown types by the intended ones, or removes them. */
export const repairTypes: SchemaStep = (node, pointer, context) => {
  const { type } = node;
  if (type === undefined) return node;
  if (type === 'file') return without(node, 'type');
  const written: readonly Json[] = Array.isArray(type) ? type : [type];
  if (written.length > 0 && written.every((name) => typeof name === 'string' && TYPES.includes(name))) return node;
  const meanings = written.map(meaningOf);
  const known = meanings.every((item) => item?.type !== undefined);
  const hint = known ? `Read as ${meanings.map((item) => item?.type).join(', ')}.` : 'Any type is allowed.';
  context.report.warning('type', pointerTo(pointer, 'type'), `There is no type ${JSON.stringify(type)}.`, hint);
  return known ? withTypes(node, meanings) : relaxed(node, 'type');
};

function withTypes(node: JsonObject, meanings: readonly (Meaning | undefined)[]): JsonObject {
  const types = [...new Set(meanings.flatMap((item) => item?.type ?? []))];
  if (types.length === 0) return without(node, 'type');
  const format = node['format'] ?? meanings[0]?.format;
  return { ...node, type: types.length === 1 ? (types[0] ?? '') : types, ...(format === undefined ? {} : { format }) };
}
