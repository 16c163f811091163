import { afterEach, expect, test } from 'vitest';
import { overHttp } from '../../../domain/testing/over-http.ts';
import type { OverHttp } from '../../../domain/testing/over-http.ts';
import type { Form, JsonObject } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { findMemberLost, membersOfCallers } from './inferred-members.ts';

const TASK = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    note: { type: 'string', nullable: true },
    done: { type: 'boolean' },
    due: { type: 'string', format: 'date' },
    url: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};
const content = { 'application/json': { schema: TASK } };
const ONE = { responses: { 200: { description: 'one', content } } };
const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const PATHS = {
  '/tasks/{id}': {
    parameters,
    get: ONE,
    put: { ...ONE, requestBody: { content } },
    patch: { ...ONE, requestBody: { content } },
  },
};

let api: OverHttp;
afterEach(() => api.close());

type Store = (task: JsonObject, sent: JsonObject) => JsonObject;
const merge: Store = (task, sent) => ({ ...task, ...sent });

function lostBy(method: string): ReturnType<typeof findMemberLost> {
  const [operation, readOperation] = [api.operation(`${method} /tasks/{id}`), api.operation('GET /tasks/{id}')];
  const path = { id: 1 };
  return findMemberLost(api.t as TestContext, {
    operation,
    readOperation,
    named: { title: 'assay-r1-n1' },
    send: (json) => api.t.send(operation, { path, json }),
    read: () => api.t.send(readOperation, { path }),
    ofCallers: (members) => Promise.resolve(Object.keys(members)),
  });
}

test.each<readonly [method: string, service: string, store: Store, found: object | undefined]>([
  ['PUT', 'stores what it is sent', (_task, sent) => sent, undefined],
  ['PUT', 'keeps a flag', (task, sent) => ({ ...sent, done: task['done'] ?? false }), { subject: '/done' }],
  [
    'PUT',
    'drops a text',
    (_task, { note: _note, ...sent }) => sent,
    { code: 'updated-reads-back/member', subject: '/note' },
  ],
  [
    'PUT',
    'keeps a value that is set',
    (task, sent) => ({ ...sent, due: task['due'] ?? sent['due'] ?? null }),
    { subject: '/due' },
  ],
  ['PUT', 'keeps a list', (task, sent) => ({ ...sent, tags: task['tags'] ?? [] }), { subject: '/tags' }],
  [
    'PUT',
    'keeps a flag, and refuses a list',
    (task, sent) => ({ ...sent, tags: sent['tags'] ?? [], done: task['done'] ?? false }),
    { subject: '/done' },
  ],
  ['PATCH', 'changes what it is sent', merge, undefined],
  [
    'PATCH',
    'resets what it is not sent',
    (task, sent) => ({ note: null, ...merge(task, sent), ...('note' in sent ? {} : { note: null }) }),
    { code: 'updated-reads-back/other-member', subject: '/note' },
  ],
])('%s of a service that %s', async (method, service, store, found) => {
  let task: JsonObject = { title: 'assay-r1-n1', note: null, done: false, tags: [] };
  api = await overHttp(
    PATHS,
    ({ line, body }) => {
      if (service.includes('refuses a list') && body.includes('"tags":[')) return { status: 400 };
      if (!line.startsWith('GET')) task = store(task, JSON.parse(body) as JsonObject);
      return { status: 200, json: task };
    },
    ['read', 'reversible', 'irreversible'],
  );
  const lost = await lostBy(method);
  if (found === undefined) expect(lost).toBeUndefined();
  else expect(lost).toMatchObject(found);
});

test('a read that lags behind after a PATCH of the name is no finding', async () => {
  let task: JsonObject = { title: 'assay-r1-n1', done: false };
  const first = task;
  let stale = 0;
  api = await overHttp(
    PATHS,
    ({ line, body }) => {
      if (line.startsWith('GET')) return { status: 200, json: (stale -= 1) >= 0 ? first : task };
      const sent = JSON.parse(body) as JsonObject;
      task = { ...task, ...sent };
      stale = Object.keys(sent).length === 1 ? 1 : 0;
      return { status: 200, json: task };
    },
    ['read', 'reversible', 'irreversible'],
  );
  expect(await lostBy('PATCH')).toBeUndefined();
});

test.each<readonly [service: string, described: JsonObject, stored: Store, names: readonly string[]]>([
  ['stores them at a creation', TASK, merge, ['done', 'url']],
  ['sets one itself', TASK, (_, sent) => ({ ...sent, url: 'https://a/1' }), ['done']],
  [
    'has no flag in creations',
    { ...TASK, properties: { title: {}, url: {} } },
    (_, { title = '' }) => ({ title }),
    ['done'],
  ],
])('members of callers where the service %s', async (_service, described, stored, names) => {
  const body = { content: { 'application/json': { schema: described } } };
  const created = { 201: { description: 'created' } };
  const paths = {
    '/tasks': { post: { responses: created, requestBody: body } },
    '/tasks/{id}': { parameters, get: ONE, delete: ONE },
  };
  let task: JsonObject = {};
  api = await overHttp(paths, ({ line, body: sent }) => {
    if (line === 'POST /tasks') task = { id: 1, ...stored({}, JSON.parse(sent) as JsonObject) };
    return { status: line === 'POST /tasks' ? 201 : 200, json: task };
  });
  const [resource] = api.t.knowledge.resources;
  if (resource === undefined) throw new Error('no resource');
  const form = resource.create.forms[0] as Form;
  const members = { done: true, url: 'an ordinary text' };
  expect(await membersOfCallers(api.t as TestContext, resource, form, members)).toEqual(names);
});
