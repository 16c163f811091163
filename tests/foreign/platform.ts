import { escapeToken } from '../../spec/index.ts';
import type { Json, JsonObject, JsonSchema } from '../../spec/index.ts';

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${escapeToken(name)}` });
export const json = (schema: JsonSchema): JsonObject => ({
  'application/json': { schema },
  'text/json': { schema },
  'text/plain': { schema },
});
export const ok = (schema?: JsonSchema): JsonObject => ({
  200: { description: 'OK', ...(schema === undefined ? {} : { content: json(schema) }) },
});
const body = (schema: JsonSchema): JsonObject => ({
  content: {
    'application/json-patch+json': { schema },
    'application/json': { schema },
    'text/json': { schema },
    'application/*+json': { schema },
  },
});
const id = (name = 'id'): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
});
const query = (name: string, schema: JsonObject): JsonObject => ({ name, in: 'query', schema });
const INT = { type: 'integer', format: 'int32' };

/** The operations of one category below `stem`, by path. Most of them give no schema for their 200. */
function category(index: number, stem: string): Readonly<Record<string, JsonObject>> {
  const policy = index % 3 === 0 ? '(Auth)' : `(Auth policies: RACI:area${index % 7}.records)`;
  const head = (summary: string): JsonObject => ({ tags: [`Category ${index % 13}`], summary: `${summary} ${policy}` });
  const model = ref(index % 5 === 0 ? `Area.Outer${index}+Inner` : `Record${index}Model`);
  const page = ref(`PaginatedResponse\`1[[Record${index}Model, Area, Version=1.0.0.0, Culture=neutral]]`);
  const spelled = index % 4 === 1 ? 'ID' : 'id';
  return {
    [stem]: {
      get: {
        ...head('Lists records'),
        parameters: [query('page', { ...INT, default: 0 }), query('take', { ...INT, default: 20 })],
        responses: ok(index % 4 === 0 ? page : undefined),
      },
      post: { ...head('Adds a record'), requestBody: body(model), responses: ok() },
    },
    [`${stem}/{id}`]: {
      get: { ...head('Reads a record'), parameters: [id(spelled)], responses: ok(index % 6 === 0 ? model : undefined) },
      put: {
        ...head('Replaces a record'),
        parameters: index % 20 === 7 ? [] : [id()],
        requestBody: body(model),
        responses: ok(),
      },
      delete: {
        ...head('Removes a record'),
        parameters: [id()],
        ...(index % 7 === 2 ? { requestBody: body({ type: 'array', items: { type: 'string', format: 'uuid' } }) } : {}),
        responses: ok(),
      },
    },
    [`${stem}/{id}/history`]: { get: { ...head('Reads the history'), parameters: [id()], responses: ok() } },
    [`${stem}/{id}/start`]: { post: { ...head('Starts the record'), parameters: [id()], responses: ok() } },
    [`${stem}/statistics`]: { get: { ...head('Counts records'), responses: ok() } },
    [`${stem}/kinds`]: {
      get: { ...head('Lists kinds'), parameters: [query('kind', ref('Kind') as JsonObject)], responses: ok() },
    },
  };
}

function models(index: number): Readonly<Record<string, Json>> {
  const record: JsonObject = {
    type: 'object',
    additionalProperties: false,
    properties: {
      id: { type: 'string', format: 'uuid' },
      name: { type: 'string', nullable: true },
      kind: ref('Kind'),
      createdAt: { type: 'string', format: 'date-time' },
      parent: ref(`Record${index}Model`),
    },
  };
  return {
    [`Record${index}Model`]: record,
    [`Area.Outer${index}+Inner`]: record,
    [`PaginatedResponse\`1[[Record${index}Model, Area, Version=1.0.0.0, Culture=neutral]]`]: {
      type: 'object',
      additionalProperties: false,
      properties: {
        data: { type: 'array', nullable: true, items: ref(`Record${index}Model`) },
        totalCount: INT,
        pageSize: INT,
        currentPage: INT,
        totalPages: { ...INT, readOnly: true },
      },
    },
  };
}

/**
 * A description as the platform's own is: no operationId, no servers, `security: [{}]` at its root beside a bearer scheme, the
 * policies in the summaries, 200 as the only status and mostly without content, optional bodies, closed objects, enumerations of
 * int32, names of generic and nested types, parameters spelled in another case or left out, a path for each form, and a catch-all.
 */
export function describePlatform(operations: number): JsonObject {
  const paths: Record<string, JsonObject> = {
    '/{id}': { get: { tags: ['Root'], summary: 'Opens a page', parameters: [id()], responses: ok() } },
  };
  const schemas: Record<string, Json> = { Kind: { ...INT, enum: [0, 1, 2] } };
  let count = 1;
  for (let index = 0; count < operations; index += 1) {
    const forms = index % 9 === 7 ? ['/api'] : index % 30 === 8 ? ['/api/v1'] : ['/api', '/api/v1'];
    for (const form of forms)
      for (const [path, item] of Object.entries(category(index, `${form}/area${index}`))) {
        if (count >= operations) break;
        paths[path] = item;
        count += Object.keys(item).length;
      }
    Object.assign(schemas, models(index));
  }
  return {
    openapi: '3.0.4',
    info: { title: 'Data platform', version: 'v1' },
    paths,
    components: { schemas, securitySchemes: { Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    security: [{}],
  };
}
