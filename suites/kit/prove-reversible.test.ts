import { afterEach, expect, test } from 'vitest';
import { overHttp } from '../../domain/testing/over-http.ts';
import type { Answer, Call, OverHttp } from '../../domain/testing/over-http.ts';
import type { JsonObject } from '../../spec/index.ts';
import { untraced } from '../../domain/create.ts';
import { existingItem } from '../../domain/path-values.ts';
import { Postponed } from './context.ts';
import type { RequestSpec, TestContext } from './context.ts';
import { noteRemoval, proveReversible } from './prove-reversible.ts';
import { Shared } from './shared.ts';

const OK = { responses: { 200: { description: 'ok' } } };
const ID = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] };
const bodyOf = (properties: JsonObject): JsonObject => ({
  responses: { 201: { description: 'created' } },
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { type: 'object', required: Object.keys(properties), properties, additionalProperties: false },
      },
    },
  },
});
const GROUPS = {
  '/groups': { get: OK, post: bodyOf({ name: { type: 'string' } }) },
  '/groups/{id}': { ...ID, get: OK, delete: OK },
  '/users': { get: OK },
  '/users/{id}': { ...ID, get: OK, delete: OK },
};

let api: OverHttp;
afterEach(() => api.close());

const contextOf = (): TestContext => ({ ...api.t, session: { allows: () => true } }) as unknown as TestContext;

/** A service with group 70, which it creates, and user 2. */
function groups(joined: Answer): (call: Call) => Answer {
  let group: JsonObject = {};
  return ({ line, body }) => {
    if (line === 'POST /groups') group = { id: 70, ...(JSON.parse(body) as JsonObject) };
    if (line === 'POST /groups') return { status: 201, json: group };
    if (line.startsWith('POST')) return joined;
    if (line === 'GET /users') return { status: 200, json: [{ id: 2, name: 'Ann' }] };
    return { status: 200, json: line === 'GET /groups/70' ? group : { id: 2, name: 'Ann' } };
  };
}

test.each<readonly [what: string, member: JsonObject, status: number]>([
  ['the request names', { userId: { type: 'integer', enum: [2] } }, 201],
  ['was listed before', { level: { type: 'integer', enum: [9] } }, 201],
  ['does not show the name that was sent', { note: { type: 'string' } }, 201],
  ['may have been there before', { level: { type: 'integer', enum: [9] } }, 200],
])('an item that %s is not removed', async (_what, member, status) => {
  const paths = { ...GROUPS, '/groups/{id}/users': { ...ID, post: bodyOf(member) } };
  api = await overHttp(paths, groups({ status, json: { id: 2, name: 'Ann' } }));
  const join = api.operation('POST /groups/{id}/users');
  await expect(proveReversible(contextOf(), join)).rejects.toThrow('may have existed before');
  expect(api.t.isOwn('2')).toBe(false);
  expect(await api.cleanUp()).toMatchObject({ left: [{ kind: join.id, id: '2' }] });
  expect(api.calls.map(({ line }) => line)).not.toContain('DELETE /users/2');
});

test('an item that was not listed before is removed', async () => {
  const paths = { ...GROUPS, '/groups/{id}/users': { ...ID, post: bodyOf({ level: { type: 'integer', enum: [9] } }) } };
  api = await overHttp(paths, groups({ status: 201, json: { id: 3 } }));
  await proveReversible(contextOf(), api.operation('POST /groups/{id}/users'));
  expect(api.calls.map(({ line }) => line)).toContain('DELETE /users/3');
});

test('what a gateway postpones is tried again: neither the proof nor an item of another is remembered', async () => {
  let isBusy = true;
  let group: JsonObject = { id: 1, name: 'of another' };
  api = await overHttp(GROUPS, ({ line, body }) => {
    if (line === 'POST /groups') group = { id: 70, ...(JSON.parse(body) as JsonObject) };
    return { status: line === 'POST /groups' ? 201 : 200, json: line === 'GET /groups' ? [group] : group };
  });
  const shared = new Shared();
  const t = {
    ...contextOf(),
    once: <T>(key: string, make: () => Promise<T>) => shared.once(key, make),
    send: (...[operation, request]: Parameters<TestContext['send']>) => {
      if (isBusy && operation.method === 'POST') throw new Postponed('POST /groups answers 429');
      return api.t.send(operation, request);
    },
  } as unknown as TestContext;
  const create = api.operation('POST /groups');
  const [groupsOf] = api.t.knowledge.resources;
  if (groupsOf === undefined) throw new Error('no resource');
  await expect(proveReversible(t, create)).rejects.toThrow(Postponed);
  await expect(existingItem(t, groupsOf, 'shared')).rejects.toThrow(Postponed);
  isBusy = false;
  // The service keeps what is removed.
  await expect(proveReversible({ ...t, report: () => {} }, create)).rejects.toThrow('are not removed');
  expect(await existingItem(t, groupsOf, 'shared')).toBe('70');
});

const WHY = 'items that POST /groups creates cannot be removed: DELETE /groups/{id} answers 403';
const OWN = { path: { id: 70 } };

test.each<readonly [what: string, request: RequestSpec, statuses: number[], why: string | undefined]>([
  ['is refused each time ends', OWN, [403, 403, 403], WHY],
  ['was served does not end', OWN, [200, 403, 403, 403], undefined],
  ['is served after all does not end', OWN, [403, 403, 403, 200], undefined],
  ['is of another item does not end', { path: { id: 71 } }, [403, 403, 403], undefined],
  ['is invalid does not end', { ...OWN, valid: false }, [403, 403, 403], undefined],
  ['has another method does not end', { ...OWN, method: 'PUT' }, [405, 405, 405], undefined],
])('a removal that %s the creation of items', async (_what, request, statuses, why) => {
  api = await overHttp(GROUPS, () => ({ status: statuses.shift() ?? 500 }));
  const shared = new Shared();
  const t = {
    ...api.t,
    once: <T>(key: string, make: () => Promise<T>) => shared.once(key, make),
    isOwn: (id: string) => id === '70',
    session: { allows: (effect: string) => effect !== 'irreversible' },
  } as unknown as TestContext;
  const remove = api.operation('DELETE /groups/{id}');
  while (statuses.length > 0) await noteRemoval(t, remove, request, await api.t.send(remove, request));
  expect((await untraced(t, api.operation('POST /groups'))).why).toBe(why);
});
