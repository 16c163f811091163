import type { Operation, Permission } from '../http/call.ts';
import { INTERFACES } from './interfaces.ts';
import type { Interface } from './interfaces.ts';
import { MODELS, REQUIRED } from './models.ts';

type Node = Readonly<Record<string, unknown>>;

const INT = { type: 'integer', format: 'int32' };

const TYPES: Readonly<Record<string, Node>> = {
  uuid: { type: 'string', format: 'uuid' },
  text: { type: 'string' },
  date: { type: 'string', format: 'date-time' },
  flag: { type: 'boolean' },
  int: INT,
  long: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  any: {},
  map: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
};

const refTo = (model: string): Node => ({ $ref: `#/components/schemas/${encodeURIComponent(model)}` });

/** The schema of a type in the notation of the models. */
function schemaOf(type: string): Node {
  if (type.endsWith('?')) return { ...schemaOf(type.slice(0, -1)), nullable: true };
  if (type.endsWith('[]')) return { type: 'array', items: schemaOf(type.slice(0, -2)) };
  if (/^\d\|/.test(type)) return { ...INT, enum: type.split('|').map(Number) };
  return TYPES[type] ?? refTo(type);
}

const contentOf = (types: readonly string[], type: string): Node =>
  Object.fromEntries(types.map((media) => [media, { schema: schemaOf(type) }]));

function queryOf([name, written]: readonly [string, string]): Node {
  const [type = '', given] = written.split('=');
  const schema = { ...schemaOf(type), ...(given === undefined ? {} : { default: JSON.parse(given) as unknown }) };
  return { name, in: 'query', ...(type === 'map' ? { style: 'deepObject', explode: true } : {}), schema };
}

function summaryOf(id: string, permission: Permission): string {
  return `${id} ${permission === 'any' ? '(Auth)' : `(Auth policies: ${permission})`}`;
}

const BODIES = ['application/json-patch+json', 'application/json', 'text/json', 'application/*+json'];
const RESPONSES = ['text/plain', 'application/json', 'text/json'];

function operationNode({ id, path, permission }: Operation, { body, response, query = {} }: Interface): Node {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inPath = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(name === 'type' ? 'text' : 'uuid'),
  }));
  return {
    tags: [path.split('/')[1] ?? ''],
    summary: summaryOf(id, permission),
    parameters: [...inPath, ...Object.entries(query).map(queryOf)],
    ...(body === undefined ? {} : { requestBody: { content: contentOf(BODIES, body) } }),
    responses: {
      200: { description: 'OK', ...(response === undefined ? {} : { content: contentOf(RESPONSES, response) }) },
    },
  };
}

function modelNode(name: string): Node {
  const members = Object.entries(MODELS[name] ?? {}).map(([member, type]) => [member, schemaOf(type)] as const);
  const required = REQUIRED[name];
  return {
    type: 'object',
    ...(required === undefined ? {} : { required }),
    properties: Object.fromEntries(members),
    additionalProperties: false,
  };
}

/**
 * The description that a deployment serves: as published, without operation ids and servers, with a path for each form, 200 as the
 * only status, and the permissions in the summaries.
 */
export function describe(operations: readonly Operation[]): Node {
  const paths: Record<string, Record<string, Node>> = {};
  for (const operation of operations)
    for (const form of operation.forms) {
      const known = INTERFACES[operation.id];
      const path = `${form}${operation.path}`;
      if (known !== undefined)
        paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationNode(operation, known) };
    }
  const schemas = Object.fromEntries(Object.keys(MODELS).map((name) => [name, modelNode(name)]));
  return {
    openapi: '3.0.4',
    info: { title: 'Data Management Service', version: 'v1' },
    paths,
    components: { schemas, securitySchemes: { Bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    security: [{}],
  };
}
