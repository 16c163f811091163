import { isObject } from '../../json.ts';
import { withKey, without } from './context.ts';
import type { SchemaMend } from './context.ts';
import type { Json } from '../../json.ts';

/** A list of `items` becomes `prefixItems`, `additionalItems` becomes `items`. */
export const mendTuples: SchemaMend = (schema) => {
  const items = schema['items'];
  if (!Array.isArray(items)) return schema;
  const rest = withKey(without(schema, 'items', 'additionalItems'), 'prefixItems', items as readonly Json[]);
  const more = schema['additionalItems'];
  return typeof more === 'boolean' || isObject(more) ? withKey(rest, 'items', more) : rest;
};
