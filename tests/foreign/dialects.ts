import type { Json, JsonObject } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';

type Change = (node: JsonObject) => JsonObject;

function everywhere(value: Json, change: Change): Json {
  if (Array.isArray(value)) return value.map((item: Json) => everywhere(item, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, everywhere(member, change)])));
}

const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** The same in 3.1: null is a type, bounds are numbers, and a webhook beside it. */
export function asOpenApi31(description: JsonObject): JsonObject {
  const raised = everywhere(description, (node) => {
    const { nullable, exclusiveMaximum, exclusiveMinimum, maximum, minimum, ...rest } = node;
    const typed =
      nullable === true && typeof rest['type'] === 'string' ? { ...rest, type: [rest['type'], 'null'] } : rest;
    return {
      ...typed,
      ...(exclusiveMaximum === true ? { exclusiveMaximum: maximum ?? 0 } : maximum === undefined ? {} : { maximum }),
      ...(exclusiveMinimum === true ? { exclusiveMinimum: minimum ?? 0 } : minimum === undefined ? {} : { minimum }),
    };
  });
  return {
    ...object(raised),
    openapi: '3.1.0',
    webhooks: { changed: { post: { responses: { 200: { description: 'OK' } } } } },
  };
}

/** The same in Swagger 2: definitions, bodies among the parameters, no deep objects. */
export function asSwagger2(description: JsonObject): JsonObject {
  const { components, paths } = description;
  const lowered = Object.entries(object(paths)).map(
    ([path, item]) =>
      [
        path,
        Object.fromEntries(Object.entries(object(item)).map(([method, node]) => [method, operation(object(node))])),
      ] as const,
  );
  const text = JSON.stringify({ paths: Object.fromEntries(lowered), definitions: object(components)['schemas'] ?? {} });
  const secured =
    object(components)['securitySchemes'] === undefined
      ? {}
      : {
          securityDefinitions: { Bearer: { type: 'apiKey', name: 'Authorization', in: 'header' } },
          security: [{ Bearer: [] }],
        };
  return {
    swagger: '2.0',
    info: description['info'] ?? {},
    basePath: '/',
    consumes: ['application/json'],
    produces: ['application/json', 'text/json'],
    ...secured,
    ...(JSON.parse(
      text.replaceAll('#/components/schemas/', '#/definitions/').replaceAll('"nullable"', '"x-nullable"'),
    ) as JsonObject),
  };
}

function operation(node: JsonObject): JsonObject {
  const { parameters, requestBody, responses, ...rest } = node;
  const media = Object.values(object(object(requestBody)['content'])).map(object)[0];
  const plain = (Array.isArray(parameters) ? parameters : [])
    .map((each: Json) => parameter(object(each)))
    .filter((each) => each['in'] !== 'cookie');
  const given = media === undefined ? [] : [{ name: 'body', in: 'body', schema: media['schema'] ?? {} }];
  return {
    ...rest,
    parameters: [...plain, ...given],
    responses: Object.fromEntries(
      Object.entries(object(responses)).map(([status, each]) => [status, response(object(each))]),
    ),
  };
}

function parameter(node: JsonObject): JsonObject {
  const { schema, style, explode: _explode, ...rest } = node;
  const { $ref, additionalProperties: _open, ...inner } = object(schema);
  const type = inner['type'] === 'object' || $ref !== undefined ? { type: 'string' } : inner;
  return {
    ...rest,
    ...type,
    ...(inner['type'] === 'array' ? { collectionFormat: style === 'pipeDelimited' ? 'pipes' : 'multi' } : {}),
  };
}

function response(node: JsonObject): JsonObject {
  const media = Object.values(object(node['content'])).map(object)[0];
  return { description: node['description'] ?? '', ...(media === undefined ? {} : { schema: media['schema'] ?? {} }) };
}
