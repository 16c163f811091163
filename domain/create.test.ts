import { afterEach, expect, test } from 'vitest';
import { scalarText } from '../spec/index.ts';
import type { JsonObject } from '../spec/index.ts';
import { create } from './create.ts';
import { resourcesOf } from './resources.ts';
import { overHttp } from './testing/over-http.ts';
import type { OverHttp } from './testing/over-http.ts';

const OK = { responses: { 200: { description: 'ok' } } };
const BODY = {
  required: true,
  content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } } },
};
const THINGS = {
  '/things': { get: OK, post: { ...OK, requestBody: BODY } },
  '/things/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    get: OK,
    delete: OK,
  },
};

let api: OverHttp;
afterEach(() => api.close());

test('an item is found by its name, not by the name of a copy, where the response to its creation is not described', async () => {
  const items: { readonly id: string; readonly name: string }[] = [];
  api = await overHttp(THINGS, ({ line, body }) => {
    if (line.startsWith('POST')) {
      const { name } = JSON.parse(body) as { readonly name: string };
      items.push({ id: `copy-${items.length}`, name: `Copy of ${name}` }, { id: `own-${items.length}`, name });
      return { status: 200, json: 'request-7' };
    }
    if (line === 'GET /things') return { status: 200, json: items };
    const item = items.find(({ id }) => line === `GET /things/${id}`);
    return item === undefined ? { status: 404 } : { status: 200, json: item };
  });
  const [things] = resourcesOf(api.t.contract);
  if (things === undefined) throw new Error('no resource');
  expect((await create(api.t, things)).id).toBe('own-0');
  const reads = api.calls.filter(({ line }) => line === 'GET /things/request-7').length;
  expect((await create(api.t, things)).id).toBe('own-2');
  expect(
    api.calls.filter(({ line }) => line === 'GET /things/request-7'),
    'it was no id',
  ).toHaveLength(reads);
});

test('an item with the name of another is not reported missing in a list that shows only names', async () => {
  api = await overHttp(THINGS, ({ line }) => ({
    status: 200,
    json: line === 'GET /things' ? [{ id: '1', name: 'shared' }] : { success: true },
  }));
  const [things] = resourcesOf(api.t.contract);
  if (things === undefined) throw new Error('no resource');
  const reported: string[] = [];
  const knowledge = {
    ...api.t.knowledge,
    guarantees: () => true,
    lifecycleRequirements: () => ({ create: [], update: [], remove: [] }),
  };
  const t = { ...api.t, knowledge, report: ({ code }: { readonly code: string }) => reported.push(code) };
  const body = (name: string) => ({ name: 'shared', description: name });
  await expect(create(t, things, { body, mark: 'shared' })).rejects.toThrow('cannot be found');
  expect(reported).toEqual([]);
});

test('an item that the client names is found under its name, and removed, although it has an id too', async () => {
  const parameters = [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }];
  const pools = new Map<string, JsonObject>();
  const paths = { '/pools': THINGS['/things'], '/pools/{name}': { ...THINGS['/things/{id}'], parameters } };
  api = await overHttp(paths, ({ line, body }) => {
    const [method, path = ''] = line.split(' ');
    if (method === 'POST') {
      const pool = { id: pools.size + 1, ...(JSON.parse(body) as JsonObject) };
      pools.set(`/pools/${scalarText((pool as JsonObject)['name'])}`, pool);
      return { status: 201, json: pool };
    }
    if (path === '/pools') return { status: 200, json: [...pools.values()] };
    const pool = pools.get(path);
    if (method === 'DELETE') pools.delete(path);
    return pool === undefined ? { status: 404 } : { status: 200, json: pool };
  });
  const [resource] = resourcesOf(api.t.contract);
  if (resource === undefined) throw new Error('no resource');
  const { id, name } = await create(api.t, resource);
  expect(id).toBe(name);
  expect(await api.cleanUp()).toMatchObject({ removed: 1, left: [] });
});

test('where the service is too busy for a creation, another one is sent', async () => {
  const names: string[] = [];
  const item = { id: '0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f11', name: '' };
  api = await overHttp(THINGS, ({ line, body }) => {
    if (!line.startsWith('POST')) return { status: 200, json: item };
    item.name = (JSON.parse(body) as { readonly name: string }).name;
    names.push(item.name);
    return names.length === 1 ? { status: 503 } : { status: 200, json: item };
  });
  const [things] = resourcesOf(api.t.contract);
  if (things === undefined) throw new Error('no resource');
  expect((await create(api.t, things)).id).toBe(item.id);
  expect(new Set(names).size).toBe(2);
});

test('what is left says so where no response tells whether it was created', async () => {
  const { post } = THINGS['/things'];
  api = await overHttp({ ...THINGS, '/things': { post } }, () => ({ status: 500 }));
  const [things] = resourcesOf(api.t.contract);
  if (things === undefined) throw new Error('no resource');
  await expect(create(api.t, things)).rejects.toThrow('status 500');
  const { left } = await api.cleanUp();
  expect(left.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('no response says whether it was created'),
  ]);
});
