import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { namesOperation, plainTextOrigin } from './connection.ts';
import type { TargetOptions } from './options.ts';
import { createTarget } from './pipeline.ts';
import { preflight } from './preflight/preflight.ts';
import { toCurl } from './show/curl.ts';
import { aRequest, contractOf, operation, serve, kept } from './testing/fixtures.ts';
import type { TestServer } from './testing/fixtures.ts';
import { serveProxy, serveTls } from './testing/network.ts';
import { SELF_SIGNED } from './testing/self-signed.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';

/** Answers with what it was sent. */
function mirror(name: string): Promise<TestServer> {
  return kept(
    serve(({ method, url, headers }, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, line: `${method} ${url}`, headers }));
    }),
  );
}

async function answerOf(options: TargetOptions, spec = aRequest()) {
  const target = await kept(createTarget(options));
  const exchange = await target.send(spec);
  return { exchange, body: exchange.response?.json as Record<string, unknown> | undefined };
}

const dir = emptyDirectory();
function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}
const ca = file('ca.pem', SELF_SIGNED.cert);
const key = file('key.pem', SELF_SIGNED.key);

describe('base URLs by operation', () => {
  const clue = operation({ path: '/clue', method: 'POST' });

  test.each(['/clue', 'POST /clue', '/api/clue', '/cl*', 'post /CLUE'])('%s names the operation', (pattern) => {
    expect(namesOperation(pattern, clue)).toBe(true);
  });

  test.each(['/clues', '/c.ue', 'GET /clue', '/clue/{id}'])('%s does not', (pattern) => {
    expect(namesOperation(pattern, clue)).toBe(false);
  });

  test('each operation is sent to its own, and its curl line too', async () => {
    const [main, other] = [await mirror('main'), await mirror('other')];
    const options = { baseUrl: main.url, bases: { '/clue': `${other.url}/public` } };
    expect((await answerOf(options)).body).toMatchObject({ name: 'main', line: 'GET /api/things' });
    const { exchange, body } = await answerOf(options, aRequest({ operation: clue, json: {} }));
    expect(body).toMatchObject({ name: 'other', line: 'POST /public/api/clue' });
    expect(toCurl(exchange)).toContain(`${other.url}/public/api/clue`);
  });

  test('a base that nobody listens at is found before the run', async () => {
    const main = await mirror('main');
    const contract = contractOf(operation({ path: '/things', permission: 'none' }));
    const options = { baseUrl: main.url, bases: { '/clue': 'http://127.0.0.1:1' } };
    await expect(preflight(options, contract, { maybeMock: true })).rejects.toThrow(/nothing listens at 127.0.0.1:1/);
  });
});

describe('headers', () => {
  test('are sent with every request; a secret is shown by the name of its variable only', async () => {
    const main = await mirror('main');
    const headers = { 'X-Tenant': 'north', 'Ocp-Apim-Subscription-Key': 'a-subscription-key' };
    const { exchange, body } = await answerOf({ baseUrl: main.url, headers });
    expect(exchange.request.headers).toMatchObject({
      'x-tenant': 'north',
      'ocp-apim-subscription-key': '$ASSAY_HEADER_OCP_APIM_SUBSCRIPTION_KEY',
    });
    expect(JSON.stringify(body)).not.toContain('a-subscription-key');
    expect(toCurl(exchange)).toContain('-H "ocp-apim-subscription-key: $ASSAY_HEADER_OCP_APIM_SUBSCRIPTION_KEY"');
    expect(body?.['headers']).toMatchObject({ 'x-tenant': 'north' });
  });

  test('the secret itself goes on the wire', async () => {
    let received: unknown;
    const main = await kept(
      serve(({ headers }, response) => {
        received = headers['x-api-key'];
        response.end();
      }),
    );
    await answerOf({ baseUrl: main.url, headers: { 'x-api-key': 'the-real-key' } });
    expect(received).toBe('the-real-key');
  });

  test('each request is a trace of its own', async () => {
    const main = await mirror('main');
    const traces = [await answerOf({ baseUrl: main.url }), await answerOf({ baseUrl: main.url })].map(
      ({ exchange }) => exchange.request.headers['traceparent'],
    );
    expect(new Set(traces).size).toBe(2);
    for (const trace of traces) expect(trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});

describe('TLS', () => {
  test('an authority of --ca is trusted', async () => {
    const front = await kept(serveTls((await mirror('main')).url, SELF_SIGNED));
    expect((await answerOf({ baseUrl: front.url })).exchange.failure?.kind).toBe('tls');
    expect((await answerOf({ baseUrl: front.url, ca })).body).toMatchObject({ name: 'main' });
  });

  test('the certificate of --cert is shown to the server', async () => {
    const demanding = { ...SELF_SIGNED, ca: SELF_SIGNED.cert, requestCert: true, rejectUnauthorized: true };
    const front = await kept(serveTls((await mirror('main')).url, demanding));
    expect((await answerOf({ baseUrl: front.url, ca })).body).toBeUndefined();
    expect((await answerOf({ baseUrl: front.url, ca, cert: ca, key })).body).toMatchObject({ name: 'main' });
    const both = file('both.pem', SELF_SIGNED.cert + SELF_SIGNED.key);
    expect((await answerOf({ baseUrl: front.url, ca, cert: both })).body).toMatchObject({ name: 'main' });
  });

  test.each([
    [{ ca: join(dir, 'missing.pem') }, /--ca can't be read/],
    [{ ca: file('text.pem', 'hello') }, /--ca is not PEM/],
    [{ key }, /--key requires the matching certificate/],
    [{ cert: ca, key: ca }, /can't be used/],
  ])('files that cannot be used are named: %#', (files, message) => {
    expect(() => createTarget({ baseUrl: 'https://127.0.0.1:1', ...files })).toThrow(message);
  });
});

describe('proxies', () => {
  test('plain HTTP is sent to the proxy with the whole URL', async () => {
    const main = await mirror('main');
    const proxy = await kept(serveProxy({ 'data.test': main.url }));
    const options = { baseUrl: 'http://data.test/base', proxies: { 'http://data.test': proxy.url } };
    const { exchange, body } = await answerOf(options);
    expect(body).toMatchObject({ line: 'GET /base/api/things', headers: { host: 'data.test' } });
    expect(proxy.seen).toEqual(['GET http://data.test/base/api/things']);
    expect(exchange.request.url).toBe('http://data.test/base/api/things');
  });

  test('HTTPS goes through a tunnel, with the name of the host in the certificate', async () => {
    const front = await kept(serveTls((await mirror('main')).url, SELF_SIGNED));
    const proxy = await kept(serveProxy({}, 'me:pass word'));
    const proxies = { [front.url]: proxy.url.replace('//', '//me:pass%20word@') };
    expect((await answerOf({ baseUrl: front.url, ca, proxies })).body).toMatchObject({ name: 'main' });
    expect(proxy.seen).toEqual([`CONNECT ${front.url.replace('https://', '')}`]);
    const strange = await kept(serveTls((await mirror('main')).url, SELF_SIGNED));
    const elsewhere = await kept(serveProxy({ 'data.test': strange.url }));
    const wrong = { baseUrl: 'https://data.test', ca, proxies: { 'https://data.test': elsewhere.url } };
    expect((await answerOf(wrong)).exchange.failure?.kind).toBe('tls');
  });

  test.each(['http', 'https'] as const)('a proxy that refuses or is away is named, for %s', async (scheme) => {
    const contract = contractOf(operation({ path: '/things', permission: 'none' }));
    const problem = async (proxy: string): Promise<unknown> =>
      preflight({ baseUrl: `${scheme}://data.test`, proxies: { [`${scheme}://data.test`]: proxy } }, contract, {
        maybeMock: true,
      }).catch((error: unknown) => error);
    const guarded = await kept(serveProxy({}, 'me:secret'));
    const message = `The proxy ${guarded.url} requires a user name and a password (407).`;
    expect(await problem(guarded.url)).toMatchObject({ message, exitCode: 3 });
    expect(await problem('http://127.0.0.1:1')).toMatchObject({
      message: expect.stringContaining("The proxy http://127.0.0.1:1 can't be reached"),
    });
  });
});

test('plain HTTP to another machine is found, also at a second base', () => {
  expect(plainTextOrigin('http://127.0.0.1:80', {})).toBeUndefined();
  expect(plainTextOrigin('http://localhost', { bases: { '/clue': 'https://a.test' } })).toBeUndefined();
  expect(plainTextOrigin('https://a.test', { bases: { '/clue': 'http://b.test/x' } })).toBe('http://b.test');
});
