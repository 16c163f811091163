import type { IncomingMessage, RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { operation, aRequest, serve, targetOf, targetServing } from './testing/fixtures.ts';
import type { RequestSpec } from './request-spec.ts';
import { createTarget } from './pipeline.ts';
import type { TargetOptions } from './options.ts';

async function received(
  parts: Partial<RequestSpec>,
  options: Partial<TargetOptions> = {},
  path = '',
): Promise<IncomingMessage> {
  const seen: IncomingMessage[] = [];
  const server = await serve((request, response) => {
    seen.push(request);
    response.end();
  });
  const tokens = { full: 'full-token', limited: 'limited-token' };
  const target = targetOf(server, { tokens, ...options, baseUrl: server.url + path });
  await target.send(aRequest(parts));
  if (!seen[0]) throw new Error('nothing was received');
  return seen[0];
}

test('a request carries what the document recommends', async () => {
  const request = await received({ method: 'POST', body: { type: 'application/json', content: '{}' } });
  expect(request.headers).toMatchObject({
    authorization: 'Bearer full-token',
    accept: 'application/json',
    'content-type': 'application/json',
  });
  expect(request.headers['accept-encoding']).toBeUndefined();
});

test('each identity has its token, and an operation without permission has none', async () => {
  expect((await received({ identity: 'limited' })).headers.authorization).toBe('Bearer limited-token');
  expect((await received({ identity: 'none' })).headers.authorization).toBeUndefined();
  expect((await received({ identity: 'invalid' })).headers.authorization).toMatch(/^Bearer assay-/);
  expect(
    (await received({ operation: operation({ path: '/open', permission: 'none' }) })).headers.authorization,
  ).toBeUndefined();
  expect(
    (await received({ operation: operation({ path: '/open', permission: 'none' }), identity: 'full' })).headers
      .authorization,
  ).toBe('Bearer full-token');
});

test('an Authorization header is sent as given, with the token in place of its name', async () => {
  expect((await received({ authorization: 'bearer  $ASSAY_TOKEN,' })).headers.authorization).toBe(
    'bearer  full-token,',
  );
  expect((await received({ authorization: '' })).headers.authorization).toBe('');
  expect((await received({ headers: { accept: undefined, 'x-own': '1' } })).headers).not.toHaveProperty('accept');
});

test('an identity without a token is a failure, not a request', async () => {
  const target = createTarget({ baseUrl: 'http://127.0.0.1:9' });
  expect((await target.send(aRequest({ identity: 'expired' }))).failure?.message).toContain(
    '--expired-token / ASSAY_EXPIRED_TOKEN',
  );
  expect(target.has).toEqual({ full: false, limited: false, expired: false });
});

test('a base URL may have a path, and slashes at its end', async () => {
  expect((await received({}, {}, '/gateway/dm//')).url).toBe('/gateway/dm/api/things');
  expect((await received({ rawQuery: 'a=ü \n' })).url).toBe('/api/things?a=%C3%BC%20%0A');
});

test('a base URL that is none is an error with a hint', () => {
  expect(() => createTarget({ baseUrl: 'data.example.com' })).toThrow('not a URL');
});

test('there are never more concurrent requests than connections', async () => {
  let now = 0;
  let most = 0;
  const slow: RequestListener = (_request, response) => {
    most = Math.max(most, ++now);
    setTimeout(() => {
      now -= 1;
      response.end();
    }, 5);
  };
  const target = await targetServing(slow, { connections: 3 });
  await Promise.all(Array.from({ length: 20 }, () => target.send(aRequest())));
  expect(most).toBe(3);
  expect(target.stats).toMatchObject({ exchanges: 20, attempts: 20, repeats: {}, failures: 0 });
});
