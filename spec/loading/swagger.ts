import { isObject, mapValues, scalarText } from '../json.ts';
import { pointerOfRef, readPointer } from '../pointer.ts';
import { METHODS } from './rewrite.ts';
import type { Json, JsonObject } from '../json.ts';

/** Keys that describe the parameter; all others describe its value. */
const OWN: readonly string[] = [
  'name',
  'in',
  'description',
  'required',
  'collectionFormat',
  'allowEmptyValue',
  'schema',
];

/** The OpenAPI 3 style of each `collectionFormat`, by place. */
const COLLECTIONS: Readonly<Record<string, (place: string) => JsonObject>> = {
  csv: (place) => ({ style: place === 'query' || place === 'cookie' ? 'form' : 'simple', explode: false }),
  ssv: () => ({ style: 'spaceDelimited', explode: false }),
  tsv: () => ({ style: 'spaceDelimited', explode: false }),
  pipes: () => ({ style: 'pipeDelimited', explode: false }),
  multi: () => ({ style: 'form', explode: true }),
};

/** What a node of the document is, or refers to. */
function targetOf(document: JsonObject, node: Json): Json | undefined {
  const ref = isObject(node) ? node['$ref'] : undefined;
  return typeof ref === 'string' ? readPointer(document, pointerOfRef(ref)) : node;
}

/** Resolves the references of a list of parameters. */
function followed(document: JsonObject, parameters: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(parameters)) return [];
  return (parameters as readonly Json[]).flatMap((item) => {
    const target = targetOf(document, item) ?? item;
    return isObject(target) ? [target] : [];
  });
}

/** The schema of a parameter: its `schema`, or else the keys beside its name. */
function valueSchema(parameter: JsonObject): JsonObject {
  const schema = parameter['schema'];
  if (isObject(schema)) return schema;
  const entries = Object.entries(parameter).filter(
    ([key]) => !OWN.includes(key) && (!key.startsWith('x-') || key === 'x-nullable'),
  );
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'items' && isObject(value) ? valueSchema(value) : value]),
  );
}

/** Converts a parameter other than body and form data. A reference is one to nothing: it is reported later. */
function convertParameter(parameter: JsonObject): JsonObject {
  if (parameter['$ref'] !== undefined) return parameter;
  const place = scalarText(parameter['in']);
  const collection = parameter['collectionFormat'] ?? (parameter['type'] === 'array' ? 'csv' : undefined);
  const style = typeof collection === 'string' ? COLLECTIONS[collection]?.(place) : undefined;
  const own = Object.entries(parameter).filter(
    ([key]) => ['name', 'in', 'description', 'required'].includes(key) || key.startsWith('x-'),
  );
  return { ...Object.fromEntries(own), ...style, schema: valueSchema(parameter) };
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** The media type of bodies for which the document states none. */
const UNSTATED = '*/*';

function contentOf(types: readonly string[], schema: JsonObject, examples?: Json): JsonObject {
  const byType = isObject(examples) ? examples : {};
  return Object.fromEntries(
    types.map((type) => [type, { schema, ...(byType[type] === undefined ? {} : { example: byType[type] }) }]),
  );
}

function formSchema(fields: readonly JsonObject[]): JsonObject {
  const required = fields.filter((field) => field['required'] === true).map((field) => scalarText(field['name']));
  const properties = Object.fromEntries(
    fields.map((field) => [
      scalarText(field['name']),
      field['type'] === 'file' ? { type: 'string', format: 'binary' } : valueSchema(field),
    ]),
  );
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function bodyOf(parameters: readonly JsonObject[], consumes: readonly string[]): JsonObject {
  const body = parameters.find((parameter) => parameter['in'] === 'body');
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData');
  if (body !== undefined) {
    const types = consumes.length > 0 ? consumes : [UNSTATED];
    return { requestBody: { required: body['required'] === true, content: contentOf(types, valueSchema(body)) } };
  }
  if (fields.length === 0) return {};
  const files = fields.some((field) => field['type'] === 'file');
  const forms = consumes.filter((type) => /form/.test(type));
  const types = forms.length > 0 ? forms : [files ? 'multipart/form-data' : 'application/x-www-form-urlencoded'];
  return {
    requestBody: {
      required: fields.some((field) => field['required'] === true),
      content: contentOf(types, formSchema(fields)),
    },
  };
}

function convertResponse(response: Json, produces: readonly string[]): Json {
  if (!isObject(response)) return response;
  const ref = response['$ref'];
  if (typeof ref === 'string') return { $ref: ref.replace('#/responses/', '#/components/responses/') };
  const schema = response['schema'];
  const types = produces.length > 0 ? produces : [UNSTATED];
  const headers = isObject(response['headers']) ? response['headers'] : {};
  return {
    description: response['description'] ?? '',
    ...(isObject(schema) && schema['type'] !== 'file'
      ? { content: contentOf(types, schema, response['examples']) }
      : {}),
    headers: mapValues(headers, (header) => (isObject(header) ? { schema: valueSchema(header) } : header)),
  };
}

function convertOperation(document: JsonObject, item: JsonObject, operation: JsonObject): JsonObject {
  const { parameters: _, consumes, produces, responses, ...rest } = operation;
  const parameters = [...followed(document, operation['parameters']), ...followed(document, item['parameters'])];
  const places = new Set<string>();
  const distinct = parameters.filter((parameter) => {
    const key = `${scalarText(parameter['in'])} ${scalarText(parameter['name'])} ${scalarText(parameter['$ref'])}`;
    return places.has(key) ? false : places.add(key);
  });
  const offered = strings(produces ?? document['produces']);
  // A shared response has the media types of the operation that refers to it.
  const own = (response: Json): Json =>
    produces === undefined ? response : (targetOf(document, response) ?? response);
  return {
    ...rest,
    parameters: distinct
      .filter((parameter) => !['body', 'formData'].includes(scalarText(parameter['in'])))
      .map(convertParameter),
    ...bodyOf(distinct, strings(consumes ?? document['consumes'])),
    ...(isObject(responses)
      ? { responses: mapValues(responses, (response) => convertResponse(own(response), offered)) }
      : {}),
  };
}

/** Converts a path item; its parameters go into each of its operations. */
function convertPathItem(document: JsonObject, item: Json): Json {
  if (!isObject(item)) return item;
  const { parameters: _, ...rest } = item;
  return mapValues(rest, (value, key) =>
    Object.hasOwn(METHODS, key) && isObject(value) ? convertOperation(document, item, value) : value,
  );
}

function mapped(value: Json | undefined, change: (item: Json) => Json): JsonObject {
  return isObject(value) ? mapValues(value, (item) => change(item)) : {};
}

function server(document: JsonObject): string {
  const base = document['basePath'];
  return typeof base === 'string' ? base : '/';
}

/** Converts a Swagger 2 document to the shape of OpenAPI 3; its schemas are not converted. */
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
  const offered = strings(produces);
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
