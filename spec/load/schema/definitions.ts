import type { SchemaMend } from './context.ts';

/** Swagger 2 keeps its schemas under `definitions`. */
export const mendDefinitions: SchemaMend = (schema, _pointer, context) => {
  const ref = schema['$ref'];
  if (context.dialect !== 'swagger-2' || typeof ref !== 'string' || !ref.startsWith('#/definitions/')) return schema;
  return { ...schema, $ref: ref.replace('#/definitions/', '#/components/schemas/') };
};
