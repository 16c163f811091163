import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../spec/index.ts';
import { clientNamedOf } from './client-named.ts';
import { pathValues } from './path-values.ts';
import { validRequest } from './requests.ts';
import { overHttp } from './testing/over-http.ts';
import type { Answer, Call, OverHttp } from './testing/over-http.ts';

const OK = { responses: { 200: { description: 'ok' } } };
const param = (name: string, pattern: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', pattern },
});
const ITEM = { get: OK, put: OK, head: OK, delete: OK };
const NAME = param('name', '^[a-z][a-z0-9-]+$');
const PATHS: JsonObject = {
  '/buckets': { get: OK },
  '/buckets/{name}': { ...ITEM, parameters: [NAME] },
  '/buckets/{name}/objects/{key}': { ...ITEM, parameters: [NAME, param('key', '^[a-z0-9]+$')] },
};

let api: OverHttp;
let stored: Set<string>;
afterEach(() => api.close());

/** Stores what is put, and lists `seed`. */
function store({ line }: Call): Answer {
  const [method = '', path = ''] = line.split(' ');
  if (path === '/buckets')
    return { status: 200, json: [...stored].map((each) => ({ name: each.split('/')[2] ?? '' })) };
  if (method === 'PUT') return { status: stored.add(path) ? 201 : 200 };
  if (method === 'DELETE' && [...stored].some((each) => each.startsWith(`${path}/`))) return { status: 409 };
  if (method === 'DELETE') return { status: stored.delete(path) ? 204 : 404 };
  return { status: stored.has(path) ? 200 : 404 };
}

async function start(answer = store, allow?: readonly ('read' | 'reversible')[]): Promise<void> {
  stored = new Set(['/buckets/seed']);
  api = await overHttp(PATHS, answer, allow);
}

test('reads, changes and removals have items with names of the run, below each other, and the clean-up removes them', async () => {
  await start();
  const key = api.operation('HEAD /buckets/{name}/objects/{key}');
  const path = await pathValues(api.t, key, 'shared');
  expect(path).toEqual({
    name: expect.stringMatching(/^assay-r1-n/) as string,
    key: expect.stringMatching(/^assayr1n/) as string,
  });
  expect(await pathValues(api.t, key, 'shared')).toEqual(path);
  const removed = await pathValues(api.t, api.operation('DELETE /buckets/{name}'), 'fresh');
  expect(removed['name']).not.toBe(path['name']);
  expect(api.t.journal.pending()).toHaveLength(3);
  expect(await api.cleanUp()).toMatchObject({ cleaned: 3, left: [] });
  expect([...stored]).toEqual(['/buckets/seed']);
});

test('the PUT itself gets a new name, and its item is in the journal once it is sent', async () => {
  await start();
  const put = api.operation('PUT /buckets/{name}');
  const request = await validRequest(api.t, put);
  expect(api.t.journal.pending()).toEqual([]);
  await api.t.send(put, request);
  await api.t.send(put, request);
  expect(api.t.journal.pending().map(({ id }) => id)).toEqual([request.path['name']]);
  await api.t.send(api.operation('DELETE /buckets/{name}'), { path: request.path });
  expect(api.t.journal.pending()).toEqual([]);
});

test('where they cannot be removed, one is created only, and reads use a listed one', async () => {
  await start((call) => (call.line.startsWith('DELETE') ? { status: 403 } : store(call)));
  expect(await pathValues(api.t, api.operation('GET /buckets/{name}'), 'shared')).toEqual({ name: 'seed' });
  for (const role of ['fresh', 'victim'] as const)
    await expect(pathValues(api.t, api.operation('PUT /buckets/{name}'), role)).rejects.toThrow('answers 403');
  expect(api.calls.filter(({ line }) => line.startsWith('PUT'))).toHaveLength(1);
});

test('nothing is created where only reading is allowed', async () => {
  await start(store, ['read']);
  expect(await pathValues(api.t, api.operation('GET /buckets/{name}'), 'shared')).toEqual({ name: 'seed' });
  expect(api.calls.map(({ line }) => line)).toEqual(['GET /buckets']);
});

test('items of a collection with POST are not named by the client', async () => {
  await start();
  const withPost = { ...PATHS, '/buckets': { get: OK, post: OK } };
  const other = await overHttp(withPost, store);
  expect(clientNamedOf(api.t.contract).map(({ prefix }) => prefix)).toEqual(['/buckets', '/buckets/{name}/objects']);
  expect(clientNamedOf(other.t.contract).map(({ prefix }) => prefix)).toEqual(['/buckets/{name}/objects']);
  await other.close();
});
