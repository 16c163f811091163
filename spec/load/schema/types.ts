import { withKey } from './context.ts';
import { scalarText } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import type { SchemaMend } from './context.ts';
import type { Json, JsonObject } from '../../json.ts';

const TYPES: readonly string[] = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

/** Spellings from other languages whose meaning is clear: type and format. */
const SPELLINGS: Readonly<Record<string, { readonly type?: string; readonly format?: string }>> = {
  int: { type: 'integer' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  long: { type: 'integer', format: 'int64' },
  short: { type: 'integer' },
  byte: { type: 'integer' },
  float: { type: 'number' },
  double: { type: 'number' },
  decimal: { type: 'number' },
  num: { type: 'number' },
  str: { type: 'string' },
  text: { type: 'string' },
  char: { type: 'string' },
  guid: { type: 'string', format: 'uuid' },
  uuid: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  'date-time': { type: 'string', format: 'date-time' },
  bool: { type: 'boolean' },
  list: { type: 'array' },
  dict: { type: 'object' },
  map: { type: 'object' },
  none: { type: 'null' },
  file: {},
  any: {},
  mixed: {},
};

function known(type: string): { readonly type?: string; readonly format?: string } | undefined {
  const lower = type.toLowerCase();
  return TYPES.includes(lower) ? { type: lower } : SPELLINGS[lower];
}

/** Types that do not exist become those that are meant, or none. */
export const mendTypes: SchemaMend = (schema, pointer, context) => {
  const type = schema['type'];
  if (type === undefined || (typeof type === 'string' && TYPES.includes(type))) return schema;
  if (type === 'file') return withKey(schema, 'type', undefined);
  const written: readonly Json[] = Array.isArray(type) ? type : [type];
  if (
    Array.isArray(type) &&
    written.length > 0 &&
    written.every((name) => typeof name === 'string' && TYPES.includes(name))
  )
    return schema;
  const meant = written.map((name) => (name === null ? { type: 'null' } : known(scalarText(name))));
  context.report({
    code: 'type',
    severity: 'warning',
    pointer: pointerTo(pointer, 'type'),
    message: `There is no type ${JSON.stringify(type)}.`,
    mend: meant.every((item) => item?.type)
      ? `Read as ${meant.map((item) => item?.type).join(', ')}.`
      : 'Read as any type.',
  });
  return replaceType(schema, meant);
};

function replaceType(
  schema: JsonObject,
  meant: readonly ({ readonly type?: string; readonly format?: string } | undefined)[],
): JsonObject {
  const names = meant.flatMap((item) => item?.type ?? []);
  if (names.length === 0 || names.length < meant.length) return withKey(schema, 'type', undefined);
  const format = schema['format'] ?? meant[0]?.format;
  const unique = [...new Set(names)];
  return withKey(withKey(schema, 'type', unique.length === 1 ? unique[0] : unique), 'format', format);
}
