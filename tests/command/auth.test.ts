import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT, serveTokens } from '../../client/testing/token-server.ts';
import type { TokenServer } from '../../client/testing/token-server.ts';
import { startProxy } from '../../prove/proxy/proxy.ts';
import type { Proxy } from '../../prove/proxy/proxy.ts';
import { createRouter } from '../../prove/proxy/router.ts';
import { startService } from '../../service/start.ts';
import type { RunningService } from '../../service/start.ts';
import { loadContract } from '../../spec/index.ts';
import { emptyDirectory, runAssay, startAssay, summaryIn } from './run-assay.ts';

const MINUTES = 60_000;

let service: RunningService;
let tokens: TokenServer;
let tokenUrl: string;
let gateway: Proxy;
/** Tokens besides those of the token endpoint that the gateway accepts. */
const accepted = new Set<string>();
const issued: string[] = [];

/** A gateway that accepts tokens of the token endpoint in place of those of the service. */
beforeAll(async () => {
  service = await startService({});
  tokens = await serveTokens(2_000);
  ({ tokenUrl } = tokens.source);
  gateway = await startProxy({
    upstream: service.baseUrl,
    tokens: service.tokens,
    router: createRouter(await loadContract()),
    make: () => (call, next) => {
      const token = /^Bearer (.+)$/u.exec(call.headers['authorization'] ?? '')?.[1] ?? '';
      const isAccepted = accepted.has(token) || tokens.accepts(token);
      if (isAccepted) issued.push(token);
      const { full } = service.tokens;
      const sent = isAccepted ? full : token === full ? 'not-known-here' : token;
      return next({ headers: { ...call.headers, ...(token === '' ? {} : { authorization: `Bearer ${sent}` }) } });
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await tokens.close();
  await service.close();
});

const QUICK = ['--only', 'GET /aijobskills', '--skip', 'properties,state'];

function textsOf(cwd: string, ...texts: readonly string[]): readonly string[] {
  const out = join(cwd, 'assay-report');
  return [...texts, ...readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))];
}

const summaryOf = (cwd: string): unknown => summaryIn(join(cwd, 'assay-report'));

describe('tokens of an OAuth endpoint', () => {
  it(
    'last as long as a run does, and neither they nor the secret are in any output',
    async () => {
      const cwd = emptyDirectory();
      const full = { tokenUrl, clientId: CLIENT.clientId, clientSecret: { env: 'OUR_SECRET' } };
      writeFileSync(join(cwd, 'assay.config.json'), JSON.stringify({ auth: { full } }));
      const only = 'contract/operations & *aijob*';
      const { code, stdout, stderr } = await runAssay(
        ['verify', '--base-url', gateway.baseUrl, '--report', 'html', '--only', only, '--max-rate', '20'],
        { cwd, env: { OUR_SECRET: CLIENT.clientSecret } },
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(new Set(issued).size).toBeGreaterThan(1);
      const texts = textsOf(cwd, stdout, stderr);
      for (const secret of [...new Set(issued), CLIENT.clientSecret])
        expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    },
    3 * MINUTES,
  );

  it(
    'are renewed under load',
    async () => {
      const env = {
        ASSAY_TOKEN_URL: tokenUrl,
        ASSAY_CLIENT_ID: CLIENT.clientId,
        ASSAY_CLIENT_SECRET: CLIENT.clientSecret,
      };
      const words = ['load', 'paging-walk', '--items', '5', '--rate', '20', '--duration', '5s'];
      const lenient = ['--threshold', 'errors<0.1%', '--threshold', 'p99<5s'];
      const cwd = emptyDirectory();
      const { stdout } = await runAssay([...words, '--base-url', gateway.baseUrl, ...lenient], { cwd, env });
      expect(stdout).toContain('PASSED');
      for (const token of new Set(issued)) expect(textsOf(cwd, stdout).join('')).not.toContain(token);
    },
    MINUTES,
  );

  it('that are refused are exit 3, with the reason and without the secret', async () => {
    const { code, stderr } = await runAssay(
      ['verify', '--base-url', gateway.baseUrl, '--token-url', tokenUrl, '--client-id', 'nobody', ...QUICK],
      { env: { ASSAY_CLIENT_SECRET: 'nobodys-secret' } },
    );
    expect(stderr).toMatch(
      /^error: The token endpoint http\S+ does not issue the full token: invalid_client\.\nhint: /u,
    );
    expect(stderr).not.toContain('nobodys-secret');
    expect(code).toBe(3);
  });
});

describe('a token that is no longer accepted', () => {
  it(
    'ends the run without a verdict and without findings; clean removes the rest with another token',
    async () => {
      accepted.add('first-token');
      const [cwd, state] = [emptyDirectory(), emptyDirectory()];
      const at = ['--base-url', gateway.baseUrl];
      const { limited } = service.tokens;
      const env = { ASSAY_TOKEN: 'first-token', ASSAY_LIMITED_TOKEN: limited, XDG_STATE_HOME: state };
      const { ended } = startAssay(['verify', ...at, '--only', 'contract'], { cwd, env });
      const begun = issued.length;
      while (issued.length < begun + 150) await new Promise((resolve) => setTimeout(resolve, 20));
      accepted.delete('first-token');
      const revokedAt = Date.now();
      const { code, stdout } = await ended;
      expect(Date.now() - revokedAt).toBeLessThan(30_000);
      expect(code).toBe(6);
      expect(stdout).toContain('the full token (--token / ASSAY_TOKEN) is no longer accepted (401)');
      expect(summaryOf(cwd)).toMatchObject({ verdict: 'inconclusive', findings: [] });

      accepted.add('second-token');
      const clean = await runAssay(['clean', ...at], { env: { ...env, ASSAY_TOKEN: 'second-token' } });
      expect(clean.stdout).toMatch(/^\d+ removed, 0 left/u);
      expect(clean.code).toBe(0);
    },
    3 * MINUTES,
  );
});

it('assay doctor says that a token ends before a run would', { tags: ['nightly'] }, async () => {
  const part = (claims: unknown): string => Buffer.from(JSON.stringify(claims)).toString('base64url');
  const ending = (seconds: number): string =>
    `${part({ alg: 'none' })}.${part({ exp: Math.floor(Date.now() / 1000) + seconds })}.c2ln`;
  const look = async (token: string): Promise<string> => {
    accepted.add(token);
    const words = ['doctor', '--base-url', gateway.baseUrl, ...QUICK];
    return (await runAssay(words, { env: { ASSAY_TOKEN: token } })).stdout;
  };
  const sentence = /! the full token expires at .*Z, before a run would finish, and is not renewed/u;
  expect(await look(ending(0))).toMatch(sentence);
  expect(await look(ending(3600))).not.toMatch(sentence);
});
