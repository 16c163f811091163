import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../spec/index.ts';
import { pathValues } from './path-values.ts';
import { validRequest } from './requests.ts';
import { overHttp } from './testing/over-http.ts';
import type { Answer, Call, OverHttp } from './testing/over-http.ts';

const OK = { responses: { 200: { description: 'ok' } } };
const BODY = {
  required: true,
  content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
};
const param = (name: string, schema: JsonObject): JsonObject => ({ name, in: 'path', required: true, schema });

const FILES = {
  '/files': { get: OK, post: { ...OK, requestBody: BODY } },
  '/files/{fileId}': {
    parameters: [param('fileId', { type: 'integer', format: 'int64', minimum: 1 })],
    get: OK,
    head: OK,
    delete: OK,
  },
};

/** A service whose list has files and that creates none. */
function refusing({ line }: Call): Answer {
  return line === 'GET /files' ? { status: 200, json: [{ fileId: 7, size: 3 }] } : { status: 403 };
}

let api: OverHttp;
afterEach(() => api.close());

test('the number of a listed item is used where nothing may be created', async () => {
  api = await overHttp(FILES, refusing, ['read']);
  expect(await pathValues(api.t, api.operation('GET /files/{fileId}'), 'shared')).toEqual({ fileId: '7' });
});

test('where a creation is refused, reads use a listed item, and changes and refused requests none', async () => {
  api = await overHttp(FILES, refusing);
  expect(await pathValues(api.t, api.operation('GET /files/{fileId}'), 'shared')).toEqual({ fileId: '7' });
  const remove = api.operation('DELETE /files/{fileId}');
  await expect(pathValues(api.t, remove, 'fresh')).rejects.toThrow('did not create');
  await expect(pathValues(api.t, remove, 'victim')).rejects.toThrow('did not create');
});

test('HEAD reads: it needs no item of its own', async () => {
  api = await overHttp(FILES, refusing, ['read']);
  expect((await validRequest(api.t, api.operation('HEAD /files/{fileId}'))).path).toEqual({ fileId: '7' });
});

const REPOSITORIES = {
  '/orgs': { get: OK },
  '/orgs/{org}/repos': { parameters: [param('org', { type: 'string' })], get: OK },
  '/orgs/{org}/repos/{repo}': {
    parameters: [param('org', { type: 'string' }), param('repo', { type: 'string' })],
    get: OK,
  },
};

test.each<readonly [what: string, item: object, key: string]>([
  ['its own link', { id: '12', name: 'x', links: { self: '/v1/orgs/acme/repos/seed%201' } }, 'seed 1'],
  ['its own HAL link', { id: '12', _links: { self: { href: '/orgs/acme/repos/seed' } } }, 'seed'],
  ['the member named as the parameter', { id: '12', attributes: { repo: 'seed' } }, 'seed'],
  ['its id, whatever else it links to', { id: 12, name: 'x', url: 'https://a.example/x' }, '12'],
  ['its resource name', { name: 'orgs/acme/repos/seed', size: 3 }, 'seed'],
  ['the member named as the parameter, with "Id"', { name: 'Seed', repoId: 's1' }, 's1'],
  ['its name, where it has no id', { name: 'seed', size: 3 }, 'seed'],
])('an item below a listed one is named by %s', async (_what, item, key) => {
  api = await overHttp(REPOSITORIES, ({ line }) => {
    if (line === 'GET /orgs') return { status: 200, json: { data: [{ type: 'orgs', id: 'acme' }] } };
    return line === 'GET /orgs/acme/repos' ? { status: 200, json: { data: [item] } as never } : { status: 404 };
  });
  const operation = api.operation('GET /orgs/{org}/repos/{repo}');
  expect(await pathValues(api.t, operation, 'shared')).toEqual({ org: 'acme', repo: key });
});

test('a key that the description of the parameter does not allow is not used', async () => {
  const paths = {
    '/links': { get: OK },
    '/links/{link}': { parameters: [param('link', { type: 'string', pattern: '^[a-z]+$' })], get: OK },
  };
  api = await overHttp(paths, () => ({ status: 200, json: [{ id: 12, code: 'abc' }] }));
  expect(await pathValues(api.t, api.operation('GET /links/{link}'), 'shared')).toEqual({ link: 'abc' });
});

test('made-up values for a part of a segment name items of others: only reads get them', async () => {
  const parameters = ['year', 'month'].map((name) => param(name, { type: 'integer', minimum: 1, maximum: 12 }));
  const version = param('version', { type: 'string', enum: ['1'] });
  const paths = {
    '/budgets/{year}-{month}': { parameters, get: OK, put: OK, delete: OK },
    '/v{version}/budgets': { parameters: [version], post: OK },
  };
  api = await overHttp(paths, () => ({ status: 200 }));
  const values = { year: expect.any(Number) as number, month: expect.any(Number) as number };
  expect(await pathValues(api.t, api.operation('GET /budgets/{year}-{month}'), 'shared')).toEqual(values);
  for (const method of ['PUT', 'DELETE'])
    for (const role of ['fresh', 'victim'] as const) {
      const made = pathValues(api.t, api.operation(`${method} /budgets/{year}-{month}`), role);
      await expect(made).rejects.toThrow('cannot create one');
    }
  const versioned = api.operation('POST /v{version}/budgets');
  expect(await pathValues(api.t, versioned, 'fresh')).toEqual({ version: '1' });
});

test('an action on an item is sent to one of the run', async () => {
  const paths = { ...FILES, '/files/{fileId}:lock': { parameters: [param('fileId', { type: 'integer' })], post: OK } };
  let made = 70;
  api = await overHttp(paths, ({ line, body }) => {
    if (line === 'POST /files') made += 1;
    const file = {
      name: `files/${made}`,
      note: line === 'POST /files' ? (JSON.parse(body) as JsonObject)['name'] : '',
    };
    return { status: line === 'POST /files' ? 201 : 200, json: file as JsonObject };
  });
  expect(await pathValues(api.t, api.operation('POST /files/{fileId}:lock'), 'fresh')).toEqual({ fileId: '71' });
});
