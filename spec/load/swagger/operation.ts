import { isObject, scalarText } from '../../json.ts';
import { METHODS } from '../shape.ts';
import { convertParameter, followed, valueSchema } from './parameters.ts';
import type { Json, JsonObject } from '../../json.ts';

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

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
    const types = consumes.length > 0 ? consumes : ['application/json'];
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

/** A Swagger 2 response as OpenAPI 3 has it. */
export function convertResponse(response: Json, produces: readonly string[]): Json {
  if (!isObject(response)) return response;
  const ref = response['$ref'];
  if (typeof ref === 'string') return { $ref: ref.replace('#/responses/', '#/components/responses/') };
  const schema = response['schema'];
  const types = produces.length > 0 ? produces : ['application/json'];
  const headers = isObject(response['headers']) ? response['headers'] : {};
  return {
    description: response['description'] ?? '',
    ...(isObject(schema) && schema['type'] !== 'file'
      ? { content: contentOf(types, schema, response['examples']) }
      : {}),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, header]) => [
        name,
        isObject(header) ? { schema: valueSchema(header) } : header,
      ]),
    ),
  };
}

function convertOperation(document: JsonObject, item: JsonObject, operation: JsonObject): JsonObject {
  const { parameters: _, consumes, produces, responses, ...rest } = operation;
  const parameters = [...followed(document, operation['parameters']), ...followed(document, item['parameters'])];
  const places = new Set<string>();
  const distinct = parameters.filter((parameter) => {
    const key = `${scalarText(parameter['in'])} ${scalarText(parameter['name'])}`;
    return places.has(key) ? false : places.add(key);
  });
  const offered = strings(produces ?? document['produces']);
  return {
    ...rest,
    parameters: distinct
      .filter((parameter) => !['body', 'formData'].includes(scalarText(parameter['in'])))
      .map(convertParameter),
    ...bodyOf(distinct, strings(consumes ?? document['consumes'])),
    ...(isObject(responses)
      ? {
          responses: Object.fromEntries(
            Object.entries(responses).map(([status, response]) => [status, convertResponse(response, offered)]),
          ),
        }
      : {}),
  };
}

/** A Swagger 2 path item as OpenAPI 3 has it; its parameters go into each of its operations. */
export function convertPathItem(document: JsonObject, item: Json): Json {
  if (!isObject(item)) return item;
  const { parameters: _, ...rest } = item;
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      Object.hasOwn(METHODS, key) && isObject(value) ? convertOperation(document, item, value) : value,
    ]),
  );
}
