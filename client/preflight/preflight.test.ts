import { createServer as createTlsServer } from 'node:https';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { expect, test } from 'vitest';
import { AssayError, BEARER } from '../../spec/index.ts';
import type { Form, SecurityScheme } from '../../spec/index.ts';
import { answering, contractOf, listen, operation, serve, kept } from '../testing/fixtures.ts';
import { SELF_SIGNED } from '../testing/self-signed.ts';
import type { TargetOptions } from '../options.ts';
import { preflight } from './preflight.ts';

function forms(path: string): readonly Form[] {
  return ['/api', '/api/v1'].map((name) => ({ name, path: name + path, pointer: '' }));
}

const TOKEN = { ...BEARER, name: 'token', about: 'Tokens are created under Administration > API Tokens' };

const CONTRACT = contractOf(
  operation({ path: '/items', permission: 'RACI:items', forms: forms('/items'), security: [[TOKEN]] }),
  operation({ path: '/items/{id}', permission: 'RACI:items', forms: forms('/items/{id}') }),
  operation({ path: '/status', permission: 'none', forms: [{ name: '/api/v1', path: '/api/v1/status', pointer: '' }] }),
  operation({ path: '/skills', forms: forms('/skills') }),
);

const STATUS = '{"ServiceStatus":"Yellow"}';
const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html' };

/** A healthy service under a path of its own. */
function healthy(prefix = '', override: RequestListener = () => {}): RequestListener {
  return (request, response) => {
    override(request, response);
    if (response.writableEnded) return;
    response.setHeader('content-type', 'application/json');
    const path = request.url?.startsWith(prefix) === true ? request.url.slice(prefix.length) : '';
    if (path === '/api/v1/status') response.end(STATUS);
    else if (!/^\/api(\/v1)?\/(items|skills)$/.test(path))
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}');
    else if (request.headers.authorization === 'Bearer limited-token' && path.endsWith('items'))
      response.writeHead(403).end();
    else if (!/^Bearer (full|limited)-token$/.test(request.headers.authorization ?? '')) response.writeHead(401).end();
    else response.end('[]');
  };
}

/** A healthy service, but for the paths with this text. */
const broken = (path: string, ...answer: Parameters<typeof answering>): RequestListener =>
  healthy('', (request, response) => {
    if (request.url?.includes(path) === true) answering(...answer)(request, response);
  });

async function problem(
  baseUrl: string,
  options: Partial<TargetOptions> = {},
  contract = CONTRACT,
  maybeMock = false,
): Promise<AssayError | undefined> {
  try {
    await preflight({ tokens: { full: 'full-token' }, ...options, baseUrl }, contract, { maybeMock });
    return undefined;
  } catch (error) {
    if (error instanceof AssayError) return error;
    throw error;
  }
}

async function expectProblem(
  baseUrl: string,
  message: RegExp | string,
  hint: RegExp | string,
  options: Partial<TargetOptions> = {},
): Promise<void> {
  const error = await problem(baseUrl, options);
  expect(error?.message).toMatch(message);
  expect(error?.hint).toMatch(hint);
  expect(error?.exitCode).toBe(3);
  expect(`${error?.message} ${error?.hint}`).not.toMatch(/full-token|wrong-token/);
}

test.each<[string, RequestListener]>([
  ['as it should be', healthy()],
  ['that is ill, and says so in JSON', broken('/status', 503, STATUS, JSON_TYPE)],
  ['whose status check is broken', broken('/status', 404)],
  ['whose list is broken', broken('/items', 500)],
  ['one form of which is broken', broken('/v1/', 401)],
  [
    'that answers slowly',
    (request, response) => {
      setTimeout(() => {
        healthy()(request, response);
      }, 100);
    },
  ],
])('a deployment %s passes', async (_name, listener) => {
  expect(await problem((await kept(serve(listener))).url)).toBeUndefined();
});

test('a deployment that answers 429 first, and one behind a gateway with a path, pass', async () => {
  let requests = 0;
  const limited = await kept(
    serve((request, response) => {
      if (++requests <= 2) response.writeHead(429, { 'retry-after': '0' }).end();
      else healthy()(request, response);
    }),
  );
  expect(await problem(limited.url)).toBeUndefined();
  const gateway = await kept(serve(healthy('/api')));
  expect(await problem(`${gateway.url}/api/`)).toBeUndefined();
});

test('a base URL with too much in its path is a problem, with the right one as hint', async () => {
  const { url } = await kept(serve(healthy()));
  await expectProblem(`${url}/api/v1`, /already contains .*\/api\/v1/, `Use --base-url ${url}`);
  await expectProblem(`${url}/api`, /already contains .*\/api/, `Use --base-url ${url}`);
  await expectProblem(`${url}/swagger/index.html`, /path under which there is no API/, `Use --base-url ${url}`);
});

test('connection refused, unknown host name, and silence', async () => {
  const server = await serve(() => {});
  await expectProblem(server.url, /does not respond: no complete response within 0.1 s/, /--timeout/, {
    timeoutMs: 100,
  });
  await server.close();
  await expectProblem(server.url, /nothing listens at 127\.0\.0\.1:\d+/, /Is the service running/);
  await expectProblem('http://no-such-host.invalid', /Unknown host name: no-such-host\.invalid/, /VPN/);
});

test('mixed-up schemes, and certificates that cannot be verified', async () => {
  const tls = await kept(listen(createTlsServer(SELF_SIGNED, healthy()), 'https'));
  const plain = await kept(serve(healthy()));
  await expectProblem(tls.url, /certificate of .* can't be verified/, /--insecure/);
  expect(await problem(tls.url, { insecure: true })).toBeUndefined();
  await expectProblem(tls.url.replace('https', 'http'), /requires HTTPS/, `Use --base-url ${tls.url}`);
  await expectProblem(plain.url.replace('http', 'https'), /does not speak HTTPS/, `--base-url ${plain.url}`);
  const page = '<title>400 The plain HTTP request was sent to HTTPS port</title>';
  const nginx = await kept(serve(answering(400, page, HTML_TYPE)));
  await expectProblem(nginx.url, /requires HTTPS/, /https:/);
});

test('a token that lacks one of the permissions, where all are needed', async () => {
  const { url } = await kept(
    serve((request, response) => {
      response.setHeader('content-type', 'application/json');
      const isItems = request.url?.includes('/items') === true;
      response.writeHead(isItems ? 403 : 200).end(JSON.stringify([request.url]));
    }),
  );
  const read = (path: string, permission: string) => operation({ path, permission, forms: forms(path) });
  const jobs = read('/jobs', 'RACI:jobs');
  const check = (paths: readonly string[], needsAll: boolean): Promise<void> =>
    preflight(
      { tokens: { full: 'full-token' }, baseUrl: url },
      contractOf(...paths.map((path) => read(path, 'RACI:items')), jobs),
      { needsAll },
    );
  await expect(check(['/items', '/items/actions'], true)).rejects.toThrow('lacks RACI:items (403)');
  await expect(check(['/items', '/items/actions'], false)).resolves.toBeUndefined();
  await expect(check(['/items'], true)).resolves.toBeUndefined();
});

test('a token that is wrong, lacks permissions, is missing, or is not for this gateway', async () => {
  const { url } = await kept(serve(healthy()));
  await expectProblem(url, 'does not accept the token of --token / ASSAY_TOKEN (401)', /Administration > API Tokens/, {
    tokens: { full: 'wrong-token' },
  });
  await expectProblem(url, 'lacks RACI:items (403)', /--limited-token/, { tokens: { full: 'limited-token' } });
  await expectProblem(url, /requires an API token, but none was given/, /ASSAY_TOKEN/, { tokens: {} });
  const silent = contractOf(operation({ path: '/items', permission: 'unstated', authUndeclared: true }));
  expect(await problem(url, { tokens: { full: 'wrong-token' } }, silent)).toMatchObject({ exitCode: 3 });
  expect((await problem(url, { tokens: {} }, silent))?.message).toMatch(/requires an API token/);
  const basic = await kept(serve(answering(401, '', { 'www-authenticate': 'Basic realm="x"' })));
  await expectProblem(basic.url, /user name and a password/, /gateway/);
});

test.each<[string, RequestListener, RegExp]>([
  [
    'a web page',
    answering(200, '<html><title>Welcome\n to nginx!</title>', HTML_TYPE),
    /web pages \("Welcome to nginx!"\)/,
  ],
  [
    'a login',
    (request, response) => response.writeHead(302, { location: `/login?next=${request.url}` }).end(),
    /redirects every request to http:\/\/127\.0\.0\.1:\d+\/login\./,
  ],
  [
    'another spelling of the paths',
    (request, response) => response.writeHead(301, { location: `${request.url}/` }).end(),
    /redirects every request to the same path with a trailing slash/,
  ],
  [
    'a move',
    (request, response) => response.writeHead(301, { location: `https://127.0.0.1:9${request.url}` }).end(),
    /redirects every request to https:\/\/127\.0\.0\.1:9;/,
  ],
  ['an empty server', answering(404, 'not found'), /GET \/api\/v1\/status and GET \/api\/items return 404/],
  ['a gateway', answering(502, '<h1>Bad Gateway</h1>', HTML_TYPE), /not the service behind it \(502\)/],
  ['an echo', answering(200, '{"hello":"world"}', JSON_TYPE), /returns the same response to every request \(200\)/],
  ['a closed door', answering(429, '', { 'retry-after': '999' }), /only with 429/],
])('%s is not the service', async (_name, listener, message) => {
  await expectProblem((await kept(serve(listener))).url, message, /./);
});

test('a gateway that asks to wait each time: two operations are asked', async () => {
  const asked = new Set<string | undefined>();
  const gateway = serve(({ url }, response) =>
    response.writeHead(503, { 'retry-after': '0' }).end(asked.add(url) && ''),
  );
  await expectProblem((await kept(gateway)).url, /not the service behind it \(503\)/, /Wait/);
  expect(asked.size).toBe(2);
});

test('a server that closes HTTPS connections may require a client certificate', async () => {
  const tls = await kept(
    listen(
      createTlsServer(SELF_SIGNED, ({ socket }) => socket.destroy()),
      'https',
    ),
  );
  await expectProblem(tls.url, /closes the connection/, /client certificate, give it with --cert/, { insecure: true });
});

test('a server that does not speak HTTP', async () => {
  const ssh = await kept(listen(createTcpServer((socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'))));
  await expectProblem(ssh.url, /does not speak HTTP|closes the connection/, /port/);
});

test('a mock may respond to everything alike, and a contract without simple reads only needs a response', async () => {
  const mock = await kept(serve(answering(200, '{}', JSON_TYPE)));
  expect(await problem(mock.url, {}, CONTRACT, true)).toBeUndefined();
  const writes = contractOf(operation({ path: '/items', method: 'POST' }));
  expect(await problem(mock.url, {}, writes)).toBeUndefined();
  await mock.close();
  expect((await problem(mock.url, {}, writes))?.message).toContain('nothing listens');
});

test('secrets of one scheme that all reads of it refuse are a problem, one refused read is not', async () => {
  const key: SecurityScheme = { name: 'key', kind: 'apiKey', in: 'header', parameter: 'x-key', takesToken: false };
  const others = ['/costs', '/invoices'].map((path) => operation({ path, forms: forms(path), security: [[key]] }));
  const contract = contractOf(...CONTRACT.operations, ...others);
  const withKeys = (refuses: (path: string) => boolean): RequestListener =>
    healthy('', ({ url = '', headers }, response) => {
      if (!/costs|invoices/.test(url)) return;
      response.writeHead(headers['x-key'] === 'right' || !refuses(url) ? 200 : 401).end('[]');
    });
  const strict = await kept(serve(withKeys(() => true)));
  const tokens = (secret: string): Partial<TargetOptions> => ({
    tokens: { full: 'full-token', credentials: { ASSAY_CREDENTIAL_KEY: secret } },
  });
  expect((await problem(strict.url, tokens('wrong'), contract))?.message).toBe(
    `${strict.url} does not accept the secrets of ASSAY_CREDENTIAL_KEY (401).`,
  );
  const faulty = await kept(serve(withKeys((path) => path.includes('costs'))));
  expect(await problem(strict.url, tokens('right'), contract)).toBeUndefined();
  expect(await problem(faulty.url, tokens('wrong'), contract)).toBeUndefined();
});
