import { afterEach, expect, test } from 'vitest';
import { overHttp } from '../../../domain/testing/over-http.ts';
import type { OverHttp } from '../../../domain/testing/over-http.ts';
import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject, Violation } from '../../../spec/index.ts';
import type { Evaluate, TestContext } from '../../kit/context.ts';
import { keepsWhatIsNotUpdated } from './refused-update.ts';

const OK = { description: 'ok' };
const PROPERTIES = { name: { type: 'string' }, description: { type: 'string' } };
const BODY = {
  required: true,
  content: { 'application/json': { schema: { type: 'object', required: ['name'], properties: PROPERTIES } } },
};
const ID = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] };
const PATHS = {
  '/groups': { get: { responses: { 200: OK } }, post: { requestBody: BODY, responses: { 201: OK } } },
  '/groups/{id}': {
    ...ID,
    get: { responses: { 200: OK } },
    put: { requestBody: BODY, responses: { 200: OK } },
    delete: { responses: { 200: OK } },
  },
};

let api: OverHttp;
afterEach(() => api.close());

test.each([
  ['stores its description', true, ['refused-changes-nothing/changed-data']],
  ['changes nothing', false, []],
])('after updates with objects, which are served, a refused one without a name %s', async (_what, stores, expected) => {
  let group: JsonObject = {};
  api = await overHttp(PATHS, ({ line, body }) => {
    const sent = body === '' ? undefined : (JSON.parse(body) as Json);
    if (!isObject(sent)) return { status: 200, json: line === 'GET /groups' ? [group] : group };
    const isRefused = sent['name'] === '' || sent['name'] === null;
    if (!isRefused) group = { ...sent, id: 70 };
    else if (stores) group = { ...group, description: sent['description'] ?? null };
    return isRefused ? { status: 400 } : { status: line.startsWith('POST') ? 201 : 200, json: group };
  });
  const found: Violation[] = [];
  const t = {
    ...api.t,
    async holds(evaluate: Evaluate) {
      const violation = await evaluate(t);
      if (violation !== undefined) found.push(violation);
      return violation === undefined;
    },
  } as unknown as TestContext;
  const [resource] = api.t.knowledge.resources;
  const [form] = api.operation('PUT /groups/{id}').forms;
  if (resource === undefined || form === undefined) throw new Error('no resource');
  await keepsWhatIsNotUpdated(t, resource, form);
  expect(found.map(({ code }) => code)).toEqual(expected);
});
