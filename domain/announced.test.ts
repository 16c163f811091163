import { afterEach, expect, test } from 'vitest';
import { pathValues } from './path-values.ts';
import { overHttp } from './testing/over-http.ts';
import type { Answer, Call, OverHttp } from './testing/over-http.ts';

const OK = { responses: { 200: { description: 'ok' } } };
const ID = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] };
const ACCEPTED = { responses: { 202: { description: 'accepted' } } };
const BODY = {
  required: true,
  content: {
    'application/json': { schema: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } } },
  },
};
const JOBS = {
  '/jobs': { post: { ...ACCEPTED, requestBody: BODY } },
  '/operations/{id}': { ...ID, get: OK, delete: OK },
  '/operations/{id}/result': { ...ID, get: OK },
};
const ALL = ['read', 'reversible', 'irreversible'] as const;

let api: OverHttp;
afterEach(() => api.close());

/** Starts jobs, each with the next number. */
function jobs(location: (id: string) => string): (call: Call) => Answer {
  let last = 0;
  return ({ line }) => {
    if (line !== 'POST /jobs') return { status: 200 };
    last += 1;
    return { status: 202, headers: { location: location(`op-${last}`) }, json: { id: `job-${last}` } };
  };
}

test('the Location of a 202 names the item of another collection, which is in the journal until it is removed', async () => {
  api = await overHttp(
    JOBS,
    jobs((id) => `/operations/${id}`),
    ALL,
  );
  const read = api.operation('GET /operations/{id}/result');
  expect(await pathValues(api.t, read, 'shared')).toEqual({ id: 'op-1' });
  expect(await pathValues(api.t, read, 'shared')).toEqual({ id: 'op-1' });
  const remove = api.operation('DELETE /operations/{id}');
  expect(await pathValues(api.t, remove, 'fresh')).toEqual({ id: 'op-2' });
  expect(api.t.journal.pending().map(({ create, id }) => [create, id])).toEqual([
    ['POST /jobs', 'op-1'],
    ['POST /jobs', 'op-2'],
  ]);
  await api.t.send(remove, { path: { id: 'op-1' } });
  expect(api.t.journal.pending().map(({ id }) => id)).toEqual(['op-2']);
  expect(api.t.journal.created).toBe(2);
});

test.each([
  ['an address that the description does not have', (id: string) => `/elsewhere/operations/${id}`],
  ['an item that the request names', () => '/operations/jobs'],
])('nothing is removed for %s', async (_what, location) => {
  api = await overHttp(JOBS, jobs(location), ALL);
  await api.t.send(api.operation('POST /jobs'), { json: { title: 'a' } });
  expect(api.t.journal.created).toBe(0);
});

test('a digit of the port is not an id that the request names', async () => {
  api = await overHttp(
    JOBS,
    jobs((id) => `/operations/${id.at(-1) ?? ''}`),
    ALL,
  );
  for (let count = 0; count < 10; count += 1) await api.t.send(api.operation('POST /jobs'), { json: { title: 'a' } });
  expect(api.t.journal.created).toBe(10);
});

test('no job is started where its effect is not allowed', async () => {
  api = await overHttp(
    JOBS,
    jobs((id) => `/operations/${id}`),
  );
  const remove = api.operation('DELETE /operations/{id}');
  await expect(pathValues(api.t, remove, 'fresh')).rejects.toThrow('no known value');
  expect(api.calls).toEqual([]);
});

test('items that nothing removes are created where that is allowed, with references to others', async () => {
  const content = {
    'application/json': { schema: { type: 'object', required: ['jobId'], properties: { jobId: { type: 'string' } } } },
  };
  const post = { responses: { 201: { description: 'created' } }, requestBody: { required: true, content } };
  const paths = {
    '/jobs': { post: { ...ACCEPTED, requestBody: BODY } },
    '/jobs/{id}': { ...ID, get: OK, delete: OK },
    '/orders': { post },
    '/orders/{id}/cancel': { ...ID, post: OK },
  };
  let [last, job] = [0, ''];
  api = await overHttp(
    paths,
    ({ line, body }) => {
      last += line === 'POST /orders' ? 1 : 0;
      if (line === 'POST /jobs') job = body;
      if (line !== 'POST /orders') return { status: line === 'POST /jobs' ? 202 : 200, json: { id: 'j-1', job } };
      return { status: body.includes('j-1') ? 201 : 422, json: { id: `o-${last}` } };
    },
    ALL,
  );
  const cancel = api.operation('POST /orders/{id}/cancel');
  expect(await pathValues(api.t, cancel, 'fresh')).toEqual({ id: 'o-2' });
});

test.each([
  ['of a request that names it', 201, { id: 'old' }],
  ['that a success does not say to be new', 200, {}],
])('no operation is sent to an item %s', async (_which, status, sent) => {
  const example = { title: 'a', ...sent };
  const content = { 'application/json': { schema: { type: 'object', additionalProperties: {} }, example } };
  const paths = {
    '/orders': { post: { responses: { 201: { description: 'created' } }, requestBody: { required: true, content } } },
    '/orders/{id}/cancel': { ...ID, post: OK },
  };
  api = await overHttp(paths, () => ({ status, json: { id: 'old' } }), ALL);
  await expect(pathValues(api.t, api.operation('POST /orders/{id}/cancel'), 'fresh')).rejects.toThrow('no known value');
  expect(api.calls).toHaveLength(1);
});
