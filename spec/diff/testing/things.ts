import { openapi } from '../../testing/description-file.ts';

export type Draft = Record<string, unknown>;

/** The schema of the things that {@link description} lists and creates. */
export const THING = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    size: { type: 'integer', format: 'int32', maximum: 10 },
    kind: { type: 'string', enum: ['a', 'b'] },
    note: { type: 'string', nullable: true },
  },
};

/** A description of two operations, with changes. */
export function description(
  change: { readonly thing?: Draft; readonly get?: Draft; readonly post?: Draft; readonly paths?: Draft } = {},
): Draft {
  const schema = { $ref: '#/components/schemas/Thing' };
  const content = { 'application/json': { schema }, 'text/json': { schema } };
  const parameters = [{ name: 'take', in: 'query', schema: { type: 'integer', default: 20 } }];
  return openapi(
    {
      '/api/things': {
        get: {
          parameters,
          responses: {
            200: { description: '', content: { 'application/json': { schema: { type: 'array', items: schema } } } },
          },
          ...change.get,
        },
      },
      '/api/things/new': {
        post: { requestBody: { required: true, content }, responses: { 200: { description: '' } }, ...change.post },
      },
      ...change.paths,
    },
    { components: { schemas: { Thing: { ...THING, ...change.thing } } } },
  );
}

/** A description with a recursive, composed schema whose name has this type. */
export function tree(type: string): Draft {
  return openapi(
    {
      '/t': {
        get: {
          responses: {
            200: { description: '', content: { 'application/json': { schema: { $ref: '#/components/schemas/T' } } } },
          },
        },
      },
    },
    {
      components: {
        schemas: {
          T: {
            allOf: [
              { $ref: '#/components/schemas/B' },
              { type: 'object', properties: { next: { nullable: true, allOf: [{ $ref: '#/components/schemas/T' }] } } },
            ],
          },
          B: { type: 'object', properties: { name: { type } } },
        },
      },
    },
  );
}
