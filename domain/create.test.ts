import { afterEach, expect, test } from 'vitest';
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
