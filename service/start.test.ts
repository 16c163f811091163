import { afterAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from './routes/index.ts';
import { FAULTS, startService } from './start.ts';
import type { FaultName } from './start.ts';
import { clientOf, withService } from './testing/client.ts';
import type { Send } from './testing/client.ts';
import { bodyFor, makeThings, pathFor } from './testing/things.ts';
import type { Things } from './testing/things.ts';
import type { Operation } from './http/call.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const service = await startService();
const send = clientOf(service);
let made: Things | undefined;

afterAll(() => service.close());

async function call(operation: Operation, form: string, sending: Parameters<Send>[1] = {}) {
  const things = (made ??= await makeThings(send));
  if (operation.method === 'DELETE') made = undefined;
  const body = bodyFor(operation.id, things);
  return send(`${operation.method} ${form}${pathFor(operation.path, things)}`, {
    ...(body === undefined ? {} : { body }),
    ...sending,
  });
}

const cases = OPERATIONS.flatMap((operation) =>
  operation.forms.map((form) => ({ name: `${operation.method} ${form}${operation.path}`, operation, form })),
);

describe.each(cases)('$name', ({ operation, form }) => {
  test('responds in each media type', async () => {
    for (const accept of ['application/json', 'text/json', 'text/plain']) {
      const { status, type, text } = await call(operation, form, { accept });
      expect(status).toBe(200);
      if (text !== '') expect(type).toBe(accept);
      if (text !== '') expect(() => JSON.parse(text) as unknown).not.toThrow();
    }
  });

  test('requires a token with the permission', async () => {
    const { tokens } = service;
    const isOpen = operation.permission === 'none';
    const isGuarded = operation.permission.startsWith('RACI:');
    expect((await call(operation, form, { token: null })).status).toBe(isOpen ? 200 : 401);
    expect((await call(operation, form, { token: 'wrong' })).status).toBe(isOpen ? 200 : 401);
    expect((await call(operation, form, { token: tokens.expired })).status).toBe(isOpen ? 200 : 401);
    expect((await call(operation, form, { token: tokens.limited })).status).toBe(isGuarded ? 403 : 200);
  });

  test('rejects unknown and malformed ids, and invalid bodies', async () => {
    const path = (id: string) => operation.path.replace('{type}', 'x').replaceAll(/\{\w+\}/g, id);
    const isRefused = operation.path.includes('{') && !operation.path.startsWith('/auditLog');
    const body = operation.body ? { body: bodyFor(operation.id, (made ??= await makeThings(send))) } : {};
    if (isRefused) expect((await send(`${operation.method} ${form}${path(UNKNOWN)}`, body)).status).toBe(404);
    if (isRefused) expect((await send(`${operation.method} ${form}${path('zzz')}`, body)).status).toBe(400);
    if (!operation.body) return;
    const refused = await call(operation, form, { raw: '{"a":' });
    expect([refused.status, refused.type]).toEqual([400, 'application/problem+json']);
    expect((await call(operation, form, { type: 'text/csv' })).status).toBe(415);
    expect((await call(operation, form, { type: 'text/json; charset=utf-8' })).status).toBe(200);
    expect((await call(operation, form, { type: 'application/vnd.x+json' })).status).toBe(200);
  });
});

test('a wrong method is 405 with Allow, an unknown path 404', () =>
  withService({}, async (send) => {
    const { status, headers } = await send('DELETE /api/v1/accesscontrolpolicies');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect((await send('GET /api/v1/nowhere')).status).toBe(404);
    expect((await send('GET /api/status')).status).toBe(404);
  }));

test('paths and ids are case-insensitive', () =>
  withService({}, async (send) => {
    const { policy } = await makeThings(send);
    expect((await send(`GET /API/V1/AccessControlPolicies/${policy.toUpperCase()}`)).json).toMatchObject({
      id: policy,
    });
  }));

const world = () => withService({ seed: 7 }, async (send, { tokens }) => ({ tokens, things: await makeThings(send) }));

test('the same seed gives the same ids, tokens and outcomes', async () => {
  expect(await world()).toEqual(await world());
});

test('a port in use is an error, and leaves nothing open', async () => {
  const port = Number(new URL(service.baseUrl).port);
  await expect(startService({ port })).rejects.toThrow(/EADDRINUSE/);
});

test('close ends keep-alive connections', async () => {
  const service = await startService();
  await fetch(`${service.baseUrl}/api/v1/status`);
  await service.close();
  await expect(fetch(`${service.baseUrl}/api/v1/status`)).rejects.toThrow();
});

test.each(Object.keys(FAULTS) as FaultName[])('fault %s starts and leaves the rest alone', (name) =>
  withService({ faults: [name] }, async (send) => {
    const { breaks, operations } = FAULTS[name];
    expect(breaks).toMatch(/\.$/);
    const known = new Set(OPERATIONS.map(({ id }) => id));
    expect(operations.filter((id) => !known.has(id))).toEqual([]);
    if (!operations.includes('GET /status')) expect((await send('GET /api/v1/status')).status).toBe(200);
  }),
);
