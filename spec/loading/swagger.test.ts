import { describe, expect, it } from 'vitest';
import { loadWritten } from '../testing/description-file.ts';

const SWAGGER = {
  swagger: '2.0',
  info: { title: 'Old', version: '2' },
  host: 'old.test',
  basePath: '/api/',
  consumes: ['application/json'],
  produces: ['application/json', 'text/json'],
  paths: {
    '/things': {
      parameters: [{ $ref: '#/parameters/Page' }],
      get: {
        parameters: [
          { name: 'ids', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
          { name: 'tags', in: 'query', type: 'array', items: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'ok',
            schema: { type: 'array', items: { $ref: '#/definitions/Thing' } },
            headers: { 'X-N': { type: 'integer' } },
          },
          404: { $ref: '#/responses/Gone' },
        },
      },
      post: {
        parameters: [{ $ref: '#/parameters/Thing' }],
        responses: { 201: { description: 'made', schema: { $ref: '#/definitions/Thing' } } },
      },
    },
    '/upload/{id}': {
      post: {
        consumes: ['multipart/form-data'],
        parameters: [
          { name: 'id', in: 'path', required: true, type: 'integer', format: 'int64' },
          { name: 'file', in: 'formData', type: 'file', required: true },
          { name: 'note', in: 'formData', type: 'string' },
        ],
        responses: { 200: { description: '', schema: { type: 'file' } } },
      },
    },
  },
  parameters: {
    Page: { name: 'page', in: 'query', type: 'integer', format: 'int32', default: 0 },
    Thing: { name: 'thing', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
  },
  responses: { Gone: { description: 'gone', schema: { type: 'object' } } },
  definitions: {
    Thing: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', 'x-nullable': true }, size: { type: 'int' } },
    },
  },
};

describe('Swagger 2', () => {
  it('becomes OpenAPI 3.1', async () => {
    const contract = await loadWritten(SWAGGER);
    expect(contract.dialect).toBe('swagger-2');
    expect(contract.operations.map((item) => `${item.id} ${item.forms[0]?.name} ${item.forms[0]?.path}`)).toEqual([
      'GET /things /api /api/things',
      'POST /things /api /api/things',
      'POST /upload/{id} /api /api/upload/{id}',
    ]);
    const [list, create, upload] = contract.operations;
    expect(list?.parameters.map((item) => [item.name, item.style, item.explode])).toEqual([
      ['ids', 'form', true],
      ['tags', 'form', false],
      ['page', 'form', true],
    ]);
    expect(list?.responses.map((item) => [item.status, item.content.map((media) => media.type)])).toEqual([
      ['200', ['application/json', 'text/json']],
      ['404', ['application/json', 'text/json']],
    ]);
    expect(create?.body).toMatchObject({ required: true, content: [{ type: 'application/json' }] });
    expect(upload?.body?.content[0]).toMatchObject({
      type: 'multipart/form-data',
      schema: { schema: { required: ['file'], properties: { file: { format: 'binary' } } } },
    });
    expect(upload?.responses[0]?.content).toEqual([]);
    const schema = create?.body?.content[0]?.schema;
    expect(schema && contract.validate(schema, { name: null }).map((item) => item.keyword)).toEqual([]);
    expect(schema && contract.validate(schema, { size: 1 }).map((item) => item.schemaPointer)).toEqual([
      '/components/schemas/Thing/required',
    ]);
  });

  it('has the media types that are stated, also those of shared responses', async () => {
    const document = (more: object, own: object): object => ({
      swagger: '2.0',
      info: { title: 'Media', version: '1' },
      ...more,
      paths: {
        '/a': {
          put: { ...own, parameters: [{ $ref: '#/parameters/A' }], responses: { 200: { $ref: '#/responses/A' } } },
        },
      },
      parameters: { A: { name: 'a', in: 'body', schema: { type: 'object' } } },
      responses: { A: { description: 'ok', schema: { type: 'object' } } },
    });
    const both = (type: string): object => ({ consumes: [type], produces: [type] });
    const [json, xml] = ['application/json', 'application/xml'] as const;
    const typesOf = async (...args: Parameters<typeof document>): Promise<readonly string[]> => {
      const [operation] = (await loadWritten(document(...args))).operations;
      return [operation?.body, operation?.responses[0]].map((each) => each?.content[0]?.type ?? '');
    };
    expect(await typesOf({}, {})).toEqual(['*/*', '*/*']);
    expect(await typesOf(both(json), {})).toEqual([json, json]);
    expect(await typesOf(both(json), both(xml))).toEqual([xml, xml]);
  });

  it('reports problems at their place in the file', async () => {
    const contract = await loadWritten(SWAGGER);
    expect(contract.problems.map((item) => `${item.code} ${item.pointer}`)).toEqual([
      'type /definitions/Thing/properties/size/type',
    ]);
  });

  it('reports a reference to a parameter that does not exist', async () => {
    const parameters = [{ $ref: '#/parameters/Gone' }];
    const paths = { '/a': { get: { parameters, responses: { 200: { description: 'ok' } } } } };
    const { problems } = await loadWritten({ swagger: '2.0', info: { title: 'Gone', version: '1' }, paths });
    const [first, ...others] = problems;
    expect(first).toMatchObject({ code: 'ref', severity: 'error', message: '"#/parameters/Gone" does not exist.' });
    expect([first?.pointer, others]).toEqual(['/paths/~1a/get/parameters/0/$ref', []]);
  });

  it('may refer to schemas inside operations, as bundlers write them', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' }, next: { $ref: '' } } };
    const place = '#/paths/~1a/get/responses/200/schema';
    schema.properties.next.$ref = place;
    const contract = await loadWritten({
      swagger: '2.0',
      info: { title: 'Bundled', version: '1' },
      paths: {
        '/a': { get: { responses: { 200: { description: 'ok', schema } } } },
        '/b': { get: { responses: { 200: { description: 'ok', schema: { $ref: place } } } } },
        '/c': {
          post: {
            parameters: [{ name: 'body', in: 'body', schema: { $ref: `${place}/properties/n` } }],
            responses: { 200: { description: 'ok' } },
          },
        },
      },
    });
    expect(contract.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const read = contract.operation('GET /b')?.responses[0]?.content[0]?.schema;
    const sent = contract.operation('POST /c')?.body?.content[0]?.schema;
    expect(read && contract.validate(read, { n: 1, next: { n: 'x' } }).map((each) => each.instancePointer)).toEqual([
      '/next/n',
    ]);
    expect(sent && contract.validate(sent, 'x').map((each) => each.keyword)).toEqual(['type']);
  });
});
