import { escapeToken } from '../../spec/index.ts';
import type { Json, JsonObject, JsonSchema } from '../../spec/index.ts';
import { json, ok, ref } from './platform.ts';
import { itemModel, ODD_NAMES, pageOf, sharedModels } from './schemas.ts';
import { asOpenApi31, asSwagger2 } from './dialects.ts';
import { ODD_PATHS, ODD_SCHEMAS } from './oddities.ts';

export type Dialect = 'swagger-2' | 'openapi-3.0' | 'openapi-3.1';

export interface Described {
  readonly dialect: Dialect;
  /** At least so many operations. */
  readonly operations: number;
  /** How callers show who they are; `silent`: nothing is said of it. */
  readonly auth: 'bearer' | 'silent';
}

type Paths = Record<string, Record<string, Json>>;

const encoded = (name: string): JsonSchema => ({
  $ref: `#/components/schemas/${encodeURIComponent(escapeToken(name))}`,
});
const inPath = (name: string, schema: JsonObject = { type: 'string', format: 'uuid' }): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema,
});
const inQuery = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  in: 'query',
  schema,
  ...more,
});
const body = (schema: JsonSchema): JsonObject => ({
  content: { 'application/json': { schema }, 'application/*+json': { schema } },
});

const PAGING = [
  inQuery('page', { type: 'integer', format: 'int32', default: 0 }),
  inQuery('take', { type: 'integer', format: 'int32', default: 20 }),
];

/** One kind of item with what its category has: ten operations, or so, in the forms that the index says. */
function family(index: number, paths: Paths, auth: Described['auth']): void {
  const name = `Item${index}Model`;
  const stem = `/things${index}`;
  const summary =
    auth === 'bearer' ? { summary: index % 4 === 0 ? 'Auth policies: RACI:some.permission' : 'Auth' } : {};
  const head = { tags: [`Category ${index % 12}`], ...summary };
  const model = index % 5 === 0 ? encoded(name) : ref(name);
  const put = (path: string, item: Record<string, Json>): void => {
    const prefixes = index % 9 === 7 ? ['/api'] : index % 9 === 8 ? ['/api/v1'] : ['/api', '/api/v1'];
    for (const prefix of prefixes) paths[`${prefix}${path}`] = item;
  };
  put(stem, {
    get: {
      ...head,
      parameters: [...PAGING, inQuery('filterActive', { type: 'boolean' }), inQuery('kind', ref('Kind') as JsonObject)],
      responses: ok(index % 2 === 0 ? { type: 'array', items: model } : pageOf(model)),
    },
    post: {
      ...head,
      requestBody: body(model),
      responses: ok(index % 3 === 0 ? { type: 'string', format: 'uuid' } : index % 3 === 1 ? model : undefined),
    },
  });
  put(`${stem}/{id}`, {
    get: {
      ...head,
      parameters: [inPath(index % 11 === 3 ? 'ID' : 'id')],
      responses: ok(index % 4 === 1 ? undefined : model),
    },
    put: {
      ...head,
      parameters: index % 13 === 5 ? [] : [inPath('id')],
      requestBody: body(model),
      responses: ok(index % 2 === 0 ? model : undefined),
    },
    delete: {
      ...head,
      parameters: [inPath('id')],
      responses: ok(),
      ...(index % 6 === 2 ? { requestBody: body({ type: 'array', items: { type: 'string', format: 'uuid' } }) } : {}),
    },
  });
  put(`${stem}/{id}/run`, { post: { ...head, parameters: [inPath('id')], responses: ok() } });
  put(`${stem}/{thingId}/children/{childId}`, {
    get: {
      ...head,
      parameters: [inPath('thingId'), inPath('childId', { type: 'integer', format: 'int32' })],
      responses: ok(ref(ODD_NAMES.slashed)),
    },
  });
  put(`${stem}/summary`, {
    get: {
      ...head,
      parameters: [
        inQuery('ids', { type: 'array', items: { type: 'string', format: 'uuid' } }, { required: index % 2 === 0 }),
      ],
      responses: ok(ref(ODD_NAMES.nested)),
    },
  });
  put(`${stem}/search`, { post: { ...head, requestBody: body(ref('Filter')), responses: ok(pageOf(model)) } });
  put(`${stem}/by-{from}-{to}`, {
    get: {
      ...head,
      parameters: [inPath('from', { type: 'string' }), inPath('to', { type: 'string' })],
      responses: ok({ type: 'boolean' }),
    },
  });
}

/** What stands alone: catch-alls, files, texts, maps, empty and broken descriptions. */
function oddities(paths: Paths): void {
  Object.assign(paths, {
    '/{id}': { get: { parameters: [inPath('id')], responses: ok() } },
    '/api/files/': {
      post: {
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
            },
          },
        },
        responses: ok(),
      },
    },
    '/api/export.csv': {
      get: { responses: { 200: { description: 'a table', content: { 'text/csv': { schema: { type: 'string' } } } } } },
    },
    '/api/blob': {
      get: {
        responses: {
          200: {
            description: 'bytes',
            content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      },
    },
    '/api/map': {
      get: {
        parameters: [
          inQuery(
            'filter',
            { type: 'object', additionalProperties: { type: 'string' } },
            { style: 'deepObject', explode: true },
          ),
        ],
        responses: ok(ref(ODD_NAMES.spaced)),
      },
    },
    '/api/created': {
      post: {
        requestBody: body({}),
        responses: {
          201: { description: 'made', content: json({ type: 'string' }) },
          default: { description: 'wrong', content: json(ref('Error')) },
        },
      },
    },
    '/api/nothing': {
      get: { responses: { 204: { description: 'nothing' } } },
      head: { responses: { 200: { description: '' } } },
    },
    '/api/unanswered': { get: { responses: {} } },
    '/api/broken': { get: { responses: ok({ $ref: '#/components/schemas/NoSuchModel' }) } },
    '/api/header': {
      get: {
        parameters: [
          { name: 'x-wish', in: 'header', schema: { type: 'string' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: ok({ type: 'integer', format: 'int64' }),
      },
    },
    '/api/twice/{a}': { get: { operationId: 'twice', parameters: [inPath('a', { type: 'string' })], responses: ok() } },
    '/api/twice/{b}': {
      post: { operationId: 'twice', parameters: [inPath('b', { type: 'string' })], responses: ok() },
    },
    '/api/pipes': {
      get: {
        parameters: [
          inQuery('ids', { type: 'array', items: { type: 'integer' } }, { style: 'pipeDelimited', explode: false }),
        ],
        responses: ok({ type: 'array', items: {} }),
      },
    },
    '/api/impossible': {
      post: {
        requestBody: { required: true, content: json({ type: 'string', minLength: 5, maxLength: 2 }) },
        responses: ok(),
      },
    },
    '/api/ranges': {
      get: {
        responses: {
          '2XX': {
            description: 'fine',
            content: json({ type: 'array', items: { type: 'number', minimum: 0, exclusiveMinimum: true } }),
          },
        },
      },
    },
  });
}

/** A description as odd as real ones are, of any size. */
export function describeOddly({ dialect, operations, auth }: Described): JsonObject {
  const paths: Paths = {};
  oddities(paths);
  Object.assign(paths, ODD_PATHS);
  const schemas: Record<string, Json> = { ...sharedModels(ref), ...ODD_SCHEMAS };
  for (let index = 0, made = 0; made < operations; index += 1) {
    family(index, paths, auth);
    schemas[`Item${index}Model`] = itemModel(index, ref);
    made += 10;
  }
  const whole: JsonObject = {
    openapi: '3.0.4',
    info: { title: 'Some Platform', version: 'v1' },
    paths,
    components: {
      schemas,
      ...(auth === 'silent' ? {} : { securitySchemes: { Bearer: { type: 'http', scheme: 'bearer' } } }),
    },
    ...(auth === 'silent' ? {} : { security: [{ Bearer: [] }] }),
  };
  if (dialect === 'openapi-3.0') return whole;
  return dialect === 'swagger-2' ? asSwagger2(whole) : asOpenApi31(whole);
}
