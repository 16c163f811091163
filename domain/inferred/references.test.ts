import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../spec/index.ts';
import { overHttp } from '../testing/over-http.ts';
import type { OverHttp } from '../testing/over-http.ts';
import { referencesOf } from './references.ts';

const UUID = { type: 'string', format: 'uuid' };
const objectOf = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const post = (properties: JsonObject): JsonObject => ({
  responses: { 201: { description: 'created' } },
  requestBody: { required: true, content: { 'application/json': { schema: objectOf(properties) } } },
});
const OK = { responses: { 200: { description: 'ok' } } };
const PARAMETERS = [{ name: 'id', in: 'path', required: true, schema: UUID }];

let api: OverHttp;
afterEach(() => api.close());

test('members within lists and objects refer to items too', async () => {
  const lines = {
    type: 'array',
    minItems: 1,
    maxItems: 1,
    items: objectOf({ productId: UUID, quantity: { enum: [2] } }),
  };
  const order = { lines, gift: objectOf({ productIds: { type: 'array', minItems: 1, maxItems: 1, items: UUID } }) };
  const paths = {
    '/products': { get: OK, post: post({ name: { type: 'string' } }) },
    '/products/{id}': { parameters: PARAMETERS, get: OK, delete: OK },
    '/orders': { post: post({ ...order, note: { enum: ['soon'] } }) },
  };
  const id = '5b2f6d0e-8c1a-4e57-9f3d-2a4b6c8d0e1f';
  let product: JsonObject = {};
  api = await overHttp(paths, ({ line, body }) => {
    if (line === 'POST /products') product = { id, ...(JSON.parse(body) as JsonObject) };
    return { status: line.startsWith('POST') ? 201 : 200, json: product };
  });
  expect(await referencesOf(api.t, api.operation('POST /orders'), {})).toEqual({
    lines: [{ productId: id, quantity: 2 }],
    gift: { productIds: [id] },
  });
});

test('an operation on the items in its body gets no item that another test or another client uses', async () => {
  const ticketIds = { type: 'array', minItems: 1, maxItems: 1, items: UUID };
  const paths = {
    '/tickets': { get: OK, post: post({ name: { type: 'string' } }) },
    '/tickets/{id}': { parameters: PARAMETERS, get: OK, delete: OK },
    '/tickets/bulk-delete': { post: { ...post({ ticketIds }), ...OK } },
  };
  const idOf = (number: number): string => `5b2f6d0e-8c1a-4e57-9f3d-2a4b6c8d0e0${number}`;
  let [count, accepts, name] = [0, true, ''];
  api = await overHttp(paths, ({ line, body }) => {
    if (line === 'GET /tickets') return { status: 200, json: [{ id: idOf(0), name: 'of another' }] };
    if (line === 'POST /tickets' && !accepts) return { status: 403 };
    if (line === 'POST /tickets') [count, name] = [count + 1, body];
    return { status: line.startsWith('POST') ? 201 : 200, json: { id: idOf(count), name } };
  });
  const sent = (): Promise<unknown> => referencesOf(api.t, api.operation('POST /tickets/bulk-delete'), {});
  expect(await sent()).toEqual({ ticketIds: [idOf(1)] });
  expect(await sent()).toEqual({ ticketIds: [idOf(2)] });
  accepts = false;
  expect(await sent()).toEqual({});
});

test('items that refer to each other do not wait for each other', async () => {
  const ids = { type: 'array', minItems: 1, maxItems: 1, items: UUID };
  const item = { parameters: PARAMETERS, get: OK, delete: OK };
  const paths = {
    '/users': { post: post({ name: { type: 'string' }, teamIds: ids }) },
    '/users/{id}': item,
    '/teams': { post: post({ name: { type: 'string' }, userIds: ids }) },
    '/teams/{id}': item,
    '/badges': { post: post({ userId: UUID }) },
  };
  const id = '5b2f6d0e-8c1a-4e57-9f3d-2a4b6c8d0e1f';
  let user: JsonObject = {};
  api = await overHttp(paths, ({ line, body }) => {
    if (line.startsWith('POST')) user = { id, ...(JSON.parse(body) as JsonObject) };
    return { status: line.startsWith('POST') ? 201 : 200, json: user };
  });
  expect(await referencesOf(api.t, api.operation('POST /badges'), {})).toEqual({ userId: id });
});

test('the id in the body of an update is that of the path', async () => {
  const text = { type: 'string' };
  const [flat, wrapped] = [{ id: { type: 'integer' }, size: text }, { data: objectOf({ id: text, size: text }) }];
  const put = (properties: JsonObject): JsonObject => ({ ...post(properties), parameters: PARAMETERS });
  const paths = {
    '/flat/{id}': { put: put(flat), get: OK },
    '/wrapped/{id}': { patch: put(wrapped), post: put(wrapped) },
  };
  api = await overHttp(paths, () => ({ status: 200 }));
  const idsIn = (line: string): Promise<unknown> => referencesOf(api.t, api.operation(line), { id: '7' });
  expect(await idsIn('PUT /flat/{id}')).toEqual({ id: 7 });
  expect(await idsIn('PATCH /wrapped/{id}')).toMatchObject({ data: { id: '7' } });
  expect(await idsIn('POST /wrapped/{id}')).toEqual({});
});
