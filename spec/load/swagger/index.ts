import { isObject } from '../../json.ts';
import { convertPathItem, convertResponse } from './operation.ts';
import type { Json, JsonObject } from '../../json.ts';

function mapped(value: Json | undefined, change: (item: Json) => Json): JsonObject {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)])) : {};
}

function server(document: JsonObject): string {
  const base = document['basePath'];
  return typeof base === 'string' ? base : '/';
}

/** A Swagger 2 document in the shape of OpenAPI 3; its schemas stay as they are written. */
export function convertSwagger(document: JsonObject): JsonObject {
  const {
    definitions,
    parameters: _,
    responses,
    paths,
    consumes: __,
    produces,
    basePath: ___,
    host: ____,
    schemes: _____,
    swagger: ______,
    securityDefinitions,
    ...rest
  } = document;
  const offered = Array.isArray(produces) ? produces.filter((item): item is string => typeof item === 'string') : [];
  return {
    ...rest,
    openapi: '3.0.3',
    servers: [{ url: server(document) }],
    paths: mapped(paths, (item) => convertPathItem(document, item)),
    components: {
      schemas: isObject(definitions) ? definitions : {},
      responses: mapped(responses, (item) => convertResponse(item, offered)),
      ...(isObject(securityDefinitions) ? { securitySchemes: securityDefinitions } : {}),
    },
  };
}
