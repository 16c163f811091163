import { afterEach, expect, test } from 'vitest';
import { overHttp } from '../../../domain/testing/over-http.ts';
import type { OverHttp } from '../../../domain/testing/over-http.ts';
import type { TestContext } from '../../kit/context.ts';
import { requestSpecOf } from './slot.ts';

const schema = { type: 'object', required: ['label'], properties: { label: { type: 'string' } } };
const content = { 'application/json': { schema } };

let api: OverHttp;
afterEach(() => api.close());

test.each([
  [200, /assay-r1-p/],
  [201, /^\{"label":"red"\}$/],
])('a generated creation that is answered with %i has the body %s', async (status, body) => {
  const remove = { parameters: [{ name: 'id', in: 'path', required: true, schema: {} }], responses: { 204: {} } };
  const post = { requestBody: { content }, responses: { [status]: { description: 'created', content } } };
  api = await overHttp({ '/pets': { post }, '/pets/{id}': { delete: remove } }, () => ({ status }));
  const t = { ...api.t, session: { returnsIds: new Map([['POST /pets', true]]) } } as unknown as TestContext;
  const request = { path: {}, query: {}, headers: {}, body: { type: 'application/json', value: { label: 'red' } } };
  const spec = requestSpecOf(t, api.operation('POST /pets'), { request, form: 0 }, { path: {} });
  expect(String(spec.body?.content)).toMatch(body);
});
