import { pointerTo } from '../../pointer.ts';
import { withKey } from './context.ts';
import type { SchemaContext, SchemaMend } from './context.ts';
import type { JsonObject } from '../../json.ts';

function exclusive(
  schema: JsonObject,
  pointer: string,
  context: SchemaContext,
  keyword: string,
  bound: string,
): JsonObject {
  const written = schema[keyword];
  if (written === undefined || typeof written === 'number') return schema;
  const limit = schema[bound];
  if (typeof written !== 'boolean') {
    context.report({
      code: 'keyword',
      severity: 'warning',
      pointer: pointerTo(pointer, keyword),
      message: `${keyword} cannot be ${JSON.stringify(written)}.`,
      mend: 'Left out.',
    });
  }
  const rest = withKey(schema, keyword, undefined);
  return written === true && typeof limit === 'number'
    ? { ...withKey(rest, bound, undefined), [keyword]: limit }
    : rest;
}

/** Boolean `exclusiveMinimum` and `exclusiveMaximum` become bounds of their own. */
export const mendBounds: SchemaMend = (schema, pointer, context) =>
  exclusive(
    exclusive(schema, pointer, context, 'exclusiveMinimum', 'minimum'),
    pointer,
    context,
    'exclusiveMaximum',
    'maximum',
  );
