import { describe, expect, it } from 'vitest';
import { OK, descriptionFile, loadPaths, openapi } from '../testing/description-file.ts';
import { loadContract } from './load.ts';
import type { Contract } from '../contract.ts';

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const get = (more: object = {}): object => ({ get: { responses: OK, ...more } });

function forms(contract: Contract): readonly string[] {
  return contract.operations.map(
    (item) => `${item.id}: ${item.forms.map((form) => `${form.name}|${form.path}`).join(' ')}`,
  );
}

function codes(contract: Contract): readonly string[] {
  return contract.problems.map((item) => `${item.code} ${item.pointer}`).sort();
}

describe('forms', () => {
  it('pair paths with and without /v1', async () => {
    const contract = await loadPaths({
      '/api/Things/{id}': get({ parameters: [ID] }),
      '/api/v1/things/{Id}': get({ parameters: [{ ...ID, name: 'Id' }] }),
      '/api/alone': get(),
      '/api/v1/new': get(),
      '/health': get(),
    });
    expect(forms(contract)).toEqual([
      'GET /Things/{id}: /api|/api/Things/{id} /api/v1|/api/v1/things/{id}',
      'GET /alone: /api|/api/alone',
      'GET /new: /api/v1|/api/v1/new',
      'GET /health: |/health',
    ]);
    expect(contract.problems).toEqual([]);
  });

  it('are separate operations if their descriptions differ', async () => {
    const contract = await loadPaths({
      '/api/x': get(),
      '/api/v1/x': get({ parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }] }),
    });
    expect(forms(contract)).toEqual(['GET /x: /api|/api/x', 'GET /api/v1/x: /api/v1|/api/v1/x']);
    expect(codes(contract)).toEqual(['forms-differ /paths/~1api~1v1~1x/get']);
  });

  it('include the paths of servers', async () => {
    const one = await loadPaths(
      { '/x': get() },
      { servers: [{ url: 'https://host.test/v2/' }, { url: 'https://other.test/v3' }] },
    );
    expect(forms(one)).toEqual(['GET /x: /v2|/v2/x']);
    const two = await loadPaths(
      { '/x': get(), '/y': { ...get(), servers: [{ url: '/special' }] } },
      {
        servers: [
          { url: 'https://host.test/{base}', variables: { base: { default: 'gate/api' } } },
          { url: '/gate/api/v1' },
        ],
      },
    );
    expect(forms(two)).toEqual([
      'GET /x: /gate/api|/gate/api/x /gate/api/v1|/gate/api/v1/x',
      'GET /y: /special|/special/y',
    ]);
    const none = await loadPaths(
      { '/x': get() },
      { servers: [{ url: 'https://{tenant}.host.test' }, { url: '' }, 'x'] },
    );
    expect(forms(none)).toEqual(['GET /x: |/x']);
  });

  it.each([
    ['of two hosts', 'https://host.test/v1', 'http://localhost:3000', '/v1'],
    ['of two hosts, with api', 'https://host.test/api', 'https://old.test/api/v1', '/api'],
    ['without api', '/', '/v1', ''],
  ])('are those of the first of servers %s', async (_, first, second, path) => {
    const contract = await loadPaths({ '/x': get() }, { servers: [{ url: first }, { url: second }] });
    expect(forms(contract)).toEqual([`GET /x: ${path}|${path}/x`]);
  });

  it('never give two operations one id', async () => {
    const contract = await loadPaths({ '/x': get(), '/api/x': get(), '/x/{a}': get(), '/X/{b}': get() });
    expect(new Set(contract.operations.map((item) => item.id)).size).toBe(4);
    for (const item of contract.operations) expect(contract.operation(item.id)).toBe(item);
  });
});

describe('operations with the same address', () => {
  it('allow any response, because either may have answered', async () => {
    const contract = await loadPaths({
      '/items/{a}': get({ parameters: [{ ...ID, name: 'a' }] }),
      '/items/{b}': get({ parameters: [{ ...ID, name: 'b' }] }),
      '/list': get(),
      '/list#more': get(),
    });
    expect(contract.operations.map((item) => [item.id, item.responses.map(({ status }) => status)])).toEqual([
      ['GET /items/{a}', ['default']],
      ['GET /items/{b}', ['default']],
      ['GET /list', ['default']],
      ['GET /list (3)', ['default']],
    ]);
    expect(codes(contract)).toEqual([
      'path /paths/~1list#more',
      'same-address /paths/~1items~1{b}/get',
      'same-address /paths/~1list#more/get',
    ]);
    expect(contract.problems.map(({ message }) => message)).toContain('GET /list#more has the same address as /list.');
  });

  it('do not include the paths of servers with withoutServers', async () => {
    const paths = { '/x': { ...get(), servers: [{ url: '/b' }] }, '/y': get() };
    const written = openapi(paths, { servers: [{ url: 'https://example.com/api/1.0' }] });
    const contract = await loadContract(descriptionFile(written), { withoutServers: true });
    expect(forms(contract)).toEqual(['GET /x: |/x', 'GET /y: |/y']);
  });
});

describe('invalid operations', () => {
  it('are repaired and reported', async () => {
    const contract = await loadPaths({
      '/case/{thingId}': get({ parameters: [{ ...ID, name: 'ThingID' }] }),
      '/missing/{id}': get(),
      '/undeclared': get({ parameters: [ID] }),
      '/unplaced/{id}': get({ parameters: [{ name: 'id', schema: { type: 'string' } }, { name: 'q' }, {}] }),
      '/unnamed': get({
        parameters: [
          { ...ID, in: 'header', name: '' },
          { ...ID, in: 'header', name: 'X Trace' },
        ],
      }),
      '/bodies': {
        get: { requestBody: { content: { 'application/json': {} } }, responses: OK },
        delete: { requestBody: { content: { 'Application/JSON; charset=utf-8': {} } }, responses: OK },
      },
      '/silent': { get: {}, post: 'x', 'x-note': 1 },
      '/statuses': {
        get: {
          responses: {
            '2xx': { description: '' },
            ok: { description: '' },
            default: { $ref: '#/components/responses/Nope' },
          },
        },
      },
      '/{id}': get({ parameters: [ID] }),
      noslash: get(),
      '/nothing': null,
      '/twin/a': get({ operationId: 'same' }),
      '/twin/b': get({ operationId: 'same' }),
      '/typed': { post: { requestBody: { required: true, content: { json: {} } }, responses: OK } },
    });
    expect(codes(contract)).toEqual([
      'body-content /paths/~1typed/post/requestBody',
      'body-method /paths/~1bodies/get/requestBody',
      'body-required /paths/~1bodies/delete/requestBody',
      'catch-all /paths/~1{id}',
      'delete-body /paths/~1bodies/delete/requestBody',
      'media-type /paths/~1typed/post/requestBody/content/json',
      'operation /paths/~1silent/post',
      'operation-id /paths/~1twin~1b/get/operationId',
      'parameter /paths/~1unnamed/get/parameters/0',
      'parameter /paths/~1unnamed/get/parameters/1',
      'parameter /paths/~1unplaced~1{id}/get/parameters/2',
      'parameter-in /paths/~1unplaced~1{id}/get/parameters/0',
      'parameter-in /paths/~1unplaced~1{id}/get/parameters/1',
      'path /paths/noslash',
      'path-item /paths/~1nothing',
      'path-parameter-case /paths/~1case~1{thingId}/get/parameters/0',
      'path-parameter-missing /paths/~1missing~1{id}/get',
      'path-parameter-required /paths/~1unplaced~1{id}/get/parameters/0',
      'path-parameter-undeclared /paths/~1undeclared/get/parameters/0',
      'ref /paths/~1statuses/get/responses/default/$ref',
      'responses-missing /paths/~1silent/get',
      'status /paths/~1statuses/get/responses/ok',
    ]);
    const by = (id: string) => contract.operation(id);
    expect(by('GET /case/{thingId}')?.parameters.map((item) => item.name)).toEqual(['thingId']);
    expect(by('GET /missing/{id}')?.parameters[0]).toMatchObject({ name: 'id', in: 'path', required: true });
    expect(contract.validate(by('GET /missing/{id}')!.parameters[0]!.schema, '')).toHaveLength(1);
    expect(by('GET /unplaced/{id}')?.parameters.map((item) => `${item.in} ${item.name}`)).toEqual([
      'path id',
      'query q',
    ]);
    expect(by('DELETE /bodies')?.body?.content[0]?.type).toBe('application/json');
    expect(by('GET /silent')?.responses.map((item) => item.status)).toEqual(['default']);
    expect(by('GET /statuses')?.responses.map((item) => item.status)).toEqual(['2XX', 'default']);
    expect(by('GET /noslash')).toBeDefined();
  });

  it('follow references to path items, parameters, bodies and responses', async () => {
    const contract = await loadPaths(
      { '/a': { $ref: '#/components/pathItems/A' } },
      {
        openapi: '3.1.0',
        components: {
          pathItems: {
            A: {
              parameters: [{ $ref: '#/components/parameters/Q' }],
              post: {
                requestBody: { $ref: '#/components/requestBodies/B' },
                responses: { 200: { $ref: '#/components/responses/R' } },
              },
            },
          },
          parameters: { Q: { name: 'q', in: 'query', explode: false, schema: { type: 'array' } } },
          requestBodies: {
            B: {
              required: true,
              content: {
                'application/json': {
                  schema: { type: 'object' },
                  examples: { one: { $ref: '#/components/examples/E' } },
                },
              },
            },
          },
          responses: {
            R: {
              description: 'r',
              headers: { 'X-Count': { schema: { type: 'integer' } } },
              content: { 'application/json': { schema: { type: 'string' } } },
            },
          },
          examples: { E: { value: { a: 1 } } },
        },
      },
    );
    const [operation] = contract.operations;
    expect(operation?.parameters[0]).toMatchObject({
      name: 'q',
      style: 'form',
      explode: false,
      schema: { pointer: '/components/parameters/Q/schema' },
    });
    expect(operation?.body?.content[0]?.examples).toEqual([{ a: 1 }]);
    expect(operation?.responses[0]?.headers['x-count']?.schema?.pointer).toBe(
      '/components/responses/R/headers/X-Count/schema',
    );
    expect(operation?.forms[0]?.pointer).toBe('/components/pathItems/A/post');
    expect(contract.problems).toEqual([]);
  });
});

describe('inferred', () => {
  it('effect: reversible if it can be deleted again', async () => {
    const op = { responses: OK };
    const contract = await loadPaths({
      '/t': { get: op, post: op },
      '/t/{id}': { put: op, delete: op, parameters: [ID] },
      '/t/{id}/run': { post: op, parameters: [ID] },
      '/log': { post: op },
      '/all': { delete: op },
      '/t/{id}/u': { post: { responses: { ...OK, 201: { description: '' } } }, parameters: [ID] },
      '/t/{id}/v': { post: op, parameters: [ID] },
      '/u/{id}': { delete: op, parameters: [ID] },
      '/v/{id}': { delete: op, parameters: [ID] },
      '/own': { post: { ...op, 'x-effect': 'global' } },
    });
    expect(Object.fromEntries(contract.operations.map((item) => [item.id, item.effect]))).toEqual({
      'GET /t': 'read',
      'POST /t': 'reversible',
      'PUT /t/{id}': 'reversible',
      'DELETE /t/{id}': 'reversible',
      'POST /t/{id}/run': 'irreversible',
      'POST /log': 'irreversible',
      'DELETE /all': 'irreversible',
      'POST /t/{id}/u': 'reversible',
      'POST /t/{id}/v': 'irreversible',
      'DELETE /u/{id}': 'reversible',
      'DELETE /v/{id}': 'reversible',
      'POST /own': 'global',
    });
  });
});

it('files of a form are known by their format or media type', async () => {
  const properties = {
    note: { type: 'string' },
    scan: { type: 'string', format: 'binary' },
    pages: { type: 'array', items: { $ref: '#/components/schemas/Page' } },
    text: { type: 'string', contentMediaType: 'text/plain', contentEncoding: 'base64' },
  };
  const requestBody = { content: { 'multipart/form-data': { schema: { type: 'object', properties } } } };
  const contract = await loadPaths(
    { '/scans': { post: { requestBody, responses: OK } } },
    { openapi: '3.1.0', components: { schemas: { Page: { type: 'string', contentMediaType: 'image/png' } } } },
  );
  expect(contract.operations[0]?.body?.content[0]?.files).toEqual(['scan', 'pages']);
});
