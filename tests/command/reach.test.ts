import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveGateway, serveProxy, serveTls } from '../../client/testing/network.ts';
import type { TestProxy } from '../../client/testing/network.ts';
import { SELF_SIGNED } from '../../client/testing/self-signed.ts';
import type { TestServer } from '../../client/testing/fixtures.ts';
import { emptyDirectory, runAssay, serve, summaryIn } from './run-assay.ts';
import type { Served } from './run-assay.ts';

let service: Served;
let front: TestServer;
let proxy: TestProxy;
const dir = emptyDirectory();

beforeAll(async () => {
  service = await serve();
  const demanding = { ...SELF_SIGNED, ca: SELF_SIGNED.cert, requestCert: true, rejectUnauthorized: true };
  front = await serveTls(service.baseUrl, demanding);
  proxy = await serveProxy({ 'data.test': service.baseUrl });
  writeFileSync(join(dir, 'ca.pem'), SELF_SIGNED.cert);
  writeFileSync(join(dir, 'key.pem'), SELF_SIGNED.key);
});
afterAll(async () => {
  await Promise.all([front.close(), proxy.close(), service.stop()]);
});

const verify = ['verify', '--allow', 'all', '--only', 'GET /aijobskills', '--skip', 'properties,state'];
const load = ['load', 'raw-ingestion', '--allow', 'all', '--duration', '1s', '--throughput', '0.3s', '--rate', '20'];
/** A tenth of the limit of latency is what the generator may lag: a busy machine can tell nothing else. */
const lenient = ['--threshold', 'errors==0', '--threshold', 'p99<5s'];

const settings = (name: string, content: unknown): string[] => {
  writeFileSync(join(dir, name), JSON.stringify(content));
  return ['--config', join(dir, name)];
};

describe('a private authority and client certificates', () => {
  const files = ['--ca', join(dir, 'ca.pem'), '--cert', join(dir, 'ca.pem'), '--key', join(dir, 'key.pem')];

  it.each([
    ['verify', verify],
    ['load', [...load, ...lenient]],
  ])('%s', async (_name, words) => {
    const cwd = emptyDirectory();
    const { code, stdout, stderr } = await runAssay([...words, '--base-url', front.url, ...files], {
      cwd,
      env: service.env,
    });
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  });

  it('without them the run ends with exit 3 and says what is missing', async () => {
    const { code, stderr } = await runAssay([...verify, '--base-url', front.url], { env: service.env });
    expect({ code }).toEqual({ code: 3 });
    expect(stderr).toContain('--ca');
  });
});

describe('a proxy', () => {
  it.each([
    ['verify over HTTP', verify, 'http://data.test', 'GET http://data.test/api'],
    ['load over HTTP', [...load, ...lenient], 'http://data.test', 'POST http://data.test/api/admin'],
    ['load over HTTPS', [...load, ...lenient, '--insecure'], 'https', 'CONNECT 127.0.0.1:'],
  ])('%s', async (_name, words, url, line) => {
    const plain = await serveTls(service.baseUrl, SELF_SIGNED);
    const seen = proxy.seen.length;
    const baseUrl = url === 'https' ? plain.url : url;
    const env = { ...service.env, HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '' };
    const { code, stdout, stderr } = await runAssay([...words, '--base-url', baseUrl], { env });
    await plain.close();
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    expect(proxy.seen.slice(seen).some((each) => each.startsWith(line))).toBe(true);
    expect(stdout.includes('plain HTTP')).toBe(baseUrl.includes('data.test'));
  });

  it('is not asked for what NO_PROXY lists, nor for the embedded service', { tags: ['nightly'] }, async () => {
    const seen = proxy.seen.length;
    const env = { ...service.env, HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' };
    const deployed = await runAssay([...verify, '--base-url', service.baseUrl], { env });
    const embedded = await runAssay(verify, { env: { HTTP_PROXY: proxy.url, NO_PROXY: '' } });
    expect([deployed.code, embedded.code]).toEqual([0, 0]);
    expect(proxy.seen.length).toBe(seen);
  });
});

describe('ingestion at another base', () => {
  const isClue = (path: string): boolean => /^\/api(\/v1)?\/clue(\?|$)/.test(path);

  it('verify and load find each operation where it lives', { tags: ['nightly'] }, async () => {
    const rest = await serveGateway(service.baseUrl, (path) => !isClue(path));
    const open = await serveGateway(service.baseUrl, isClue);
    const config = settings('bases.json', { baseUrl: rest.url, bases: { '/clue': open.url } });
    const common = { cwd: emptyDirectory(), env: service.env };
    const verified = await runAssay(['verify', '--allow', 'all', '--only', 'clue-accepted', ...config], common);
    expect(verified.code, verified.stdout).toBe(0);
    const mixed = ['load', 'mixed', '--allow', 'all', '--duration', '1s', '--throughput', '0', '--rate', '30'];
    const loaded = await runAssay([...mixed, '--items', '10', ...lenient, ...config], common);
    expect(loaded.code, loaded.stdout).toBe(0);
    const { scenarios } = summaryIn(join(common.cwd, 'assay-report'));
    expect(scenarios).toMatchObject([{ requests: 30, errors: {} }]);
    expect(open.seen.has('POST /api/v1/clue')).toBe(true);
    expect([...rest.seen].some((path) => path.endsWith('/clue'))).toBe(false);
    await Promise.all([rest.close(), open.close()]);
  });
});

describe('assay doctor', () => {
  const look = async (words: readonly string[], env: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await runAssay(['doctor', '--json', ...words], { env });
    return { code, stderr, found: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>) };
  };

  it('says what works and what a run would test, and sends nothing but GET', async () => {
    const gateway = await serveGateway(service.baseUrl, () => true);
    const { code, found } = await look(['--base-url', gateway.url, '--only', 'contract*'], service.env);
    expect(code).toBe(0);
    expect(found).toMatchObject({
      ready: true,
      spec: { operations: expect.any(Number) },
      diagnosis: {
        latencyMs: expect.any(Number),
        identities: [
          { identity: 'full', given: true, works: true },
          { identity: 'limited', given: true, works: true },
          { identity: 'expired', given: true, works: true },
        ],
      },
      effects: { allowed: ['read', 'reversible'], notAllowed: ['global', 'irreversible', 'costly'] },
      plan: { tests: expect.any(Number), operations: expect.any(Number) },
    });
    expect(JSON.stringify(found)).not.toContain(service.tokens.full);
    expect([...gateway.seen].filter((each) => !each.startsWith('GET '))).toEqual([]);
    await gateway.close();
  });

  it.each([
    ['a token of the wrong kind', { ASSAY_LIMITED_TOKEN: 'full' }, 2, /should not have/],
    ['a refused limited token', { ASSAY_LIMITED_TOKEN: 'nobody-gave-me-this' }, 3, /does not accept the limited token/],
    ['a refused token', { ASSAY_TOKEN: 'nobody-gave-me-this' }, 3, /does not accept the token/],
  ])('%s is named', async (_name, given: Readonly<Record<string, string>>, expected, sentence) => {
    const env = { ...service.env, ...given };
    if (env.ASSAY_LIMITED_TOKEN === 'full') env.ASSAY_LIMITED_TOKEN = service.tokens.full;
    const { code, found } = await look(['--base-url', service.baseUrl, '--only', 'GET /aijobskills'], env);
    expect(code).toBe(expected);
    expect(JSON.stringify(found)).toMatch(sentence);
    expect(JSON.stringify(found)).not.toContain('nobody-gave-me-this');
  });

  it('load does not check a limited token, which it does not use', { tags: ['nightly'] }, async () => {
    const env = { ...service.env, ASSAY_LIMITED_TOKEN: 'nobody-gave-me-this' };
    const words = ['load', 'clue-ingestion', '--rate', '20', '--duration', '1s', '--warmup', '0', '--allow', 'all'];
    const { code, stderr } = await runAssay([...words, '--base-url', service.baseUrl], { cwd: emptyDirectory(), env });
    expect([0, 6], stderr).toContain(code);
  });

  it('looks at the tokens for single permissions and of another tenant too', async () => {
    const { full, otherTenant, permissions } = service.tokens;
    const tokens = { ...permissions, 'RACI:management.accesscontrol': full, otherTenant };
    const config = settings('tokens.json', { baseUrl: service.baseUrl, tokens });
    const { found } = await look(['--only', 'GET /aijobskills', ...config], service.env);
    expect(found).toMatchObject({
      diagnosis: {
        identities: expect.arrayContaining([
          expect.objectContaining({ identity: 'RACI:management.aiagents', works: true }),
          expect.objectContaining({
            identity: 'RACI:management.accesscontrol',
            works: false,
            problem: expect.stringContaining('GET /aiagent answers 200, not 403'),
          }),
          expect.objectContaining({ identity: 'otherTenant', works: true }),
        ]),
      },
    });
  });

  it('a target that is not there is exit 3, a mistake in the settings exit 2', async () => {
    const away = await look(['--base-url', 'http://127.0.0.1:1'], service.env);
    expect(away).toMatchObject({ code: 3, found: { ready: false, problem: { hint: expect.any(String) } } });
    expect(await look(['--base-url', service.baseUrl, '--cert', 'missing.pem'], {})).toMatchObject({ code: 2 });
  });
});

describe('a tenant that checks its organization', () => {
  it('gets the clues that the configuration describes', async () => {
    const body = { name: '{name}', description: 'from the configuration', enabled: false, aiAgentId: '{aiAgentId}' };
    const organization = '0b6f1c1e-94a4-4c51-9f58-1d5a0a3c7e10';
    const fixtures = { organization, entityType: '/Customer', bodies: { 'POST /aijob': body } };
    const config = settings('fixtures.json', { baseUrl: service.baseUrl, fixtures });
    const words = ['verify', '--allow', 'all', '--only', 'state/clues,state/lifecycle & POST /aijob', ...config];
    const { code, stdout } = await runAssay(words, { env: service.env });
    expect(code, stdout).toBe(0);
  });
});
