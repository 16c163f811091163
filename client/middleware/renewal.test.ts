import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createTarget } from '../pipeline.ts';
import type { Target } from '../pipeline.ts';
import type { TargetOptions } from '../options.ts';
import { aRequest, operation, serve, closeAfterTest, kept } from '../testing/fixtures.ts';
import { CLIENT, serveTokens } from '../testing/token-server.ts';
import type { TokenServer } from '../testing/token-server.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

/** A service that accepts what its token endpoint issued; some paths refuse every token. */
async function protectedBy(
  isAccepted: (token: string) => boolean,
  options: Partial<TargetOptions>,
): Promise<Target & { readonly seen: string[] }> {
  const seen: string[] = [];
  const server = await serve((request, response) => {
    const token = (request.headers.authorization ?? '').slice('Bearer '.length);
    seen.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.statusCode = request.url !== '/api/odd' && isAccepted(token) ? 200 : 401;
    response.end(JSON.stringify({ youSent: token }));
  });
  const target = createTarget({ baseUrl: server.url, requireAvailable: true, ...options });
  closeAfterTest(server, target);
  return Object.assign(target, { seen });
}

const tokenServer = (...options: Parameters<typeof serveTokens>): Promise<TokenServer> => kept(serveTokens(...options));

const statusOf = async (target: Target, request = aRequest()): Promise<number | undefined> =>
  (await target.send(request)).response?.status;

describe('a token of an OAuth endpoint', () => {
  test('is obtained once for many requests, by client credentials', async () => {
    const tokens = await tokenServer(60_000);
    const source = { ...tokens.source, scope: 'data', parameters: { audience: 'things' } };
    const target = await protectedBy(tokens.accepts, { tokens: { full: source } });
    expect(await Promise.all(Array.from({ length: 20 }, () => statusOf(target)))).toEqual(Array(20).fill(200));
    expect(tokens.requests).toHaveLength(1);
    expect(Object.fromEntries(tokens.requests[0]?.parameters ?? [])).toEqual({
      grant_type: 'client_credentials',
      scope: 'data',
      audience: 'things',
    });
    expect(target.lost).toBeUndefined();
  });

  test('is obtained with a user name and a password, the client in the body', async () => {
    const tokens = await tokenServer(60_000);
    const user = { username: 'ada', password: 'lovelace-1815', clientAuthentication: 'post' } as const;
    const target = await protectedBy(tokens.accepts, { tokens: { full: { ...tokens.source, ...user } } });
    expect(await statusOf(target)).toBe(200);
    expect(tokens.requests[0]?.parameters.get('grant_type')).toBe('password');
    expect(tokens.requests[0]?.authorization).toBeUndefined();
  });

  test('is renewed before it ends, so that no request is refused', async () => {
    const tokens = await tokenServer(1_500);
    const target = await protectedBy(tokens.accepts, { tokens: { full: tokens.source } });
    const statuses = new Set<number | undefined>();
    for (const until = Date.now() + 3_500; Date.now() < until; await delay(20)) statuses.add(await statusOf(target));
    expect([...statuses]).toEqual([200]);
    expect(tokens.requests.length).toBeGreaterThanOrEqual(3);
    expect(tokens.requests.length).toBeLessThanOrEqual(5);
    expect(target.stats.repeats).toEqual({});
  });

  test('is renewed once where it is refused, and refused requests are repeated with that reason', async () => {
    const tokens = await tokenServer(60_000, false);
    const target = await protectedBy(tokens.accepts, { tokens: { full: tokens.source } });
    expect(await statusOf(target)).toBe(200);
    await delay(600);
    tokens.revoke();
    const posting = { method: 'POST', json: {} } as const;
    const all = await Promise.all(Array.from({ length: 12 }, () => target.send(aRequest(posting))));
    expect(all.map(({ response }) => response?.status)).toEqual(Array(12).fill(200));
    expect(all.every(({ attempts }) => attempts === 2)).toBe(true);
    expect(target.stats.repeats).toEqual({ 'status-401': 12 });
    expect(tokens.requests).toHaveLength(2);
  });

  test('is renewed each time it is refused, also where only requests of load use it', async () => {
    const tokens = await tokenServer(60_000, false);
    const target = await protectedBy(tokens.accepts, { tokens: { full: tokens.source } });
    expect(await statusOf(target)).toBe(200);
    for (let count = 0; count < 3; count += 1) {
      await delay(600);
      tokens.revoke();
      expect(await target.explain('full')).toBe('renewed');
    }
    expect(target.lost).toBeUndefined();
  });

  test('no token that was ever issued, and no secret, is in an exchange or redacted text', async () => {
    const tokens = await tokenServer(60_000, false);
    const issued: string[] = [];
    const target = await protectedBy(tokens.accepts, {
      tokens: { full: tokens.source },
      onSecret: (secret) => issued.push(secret),
    });
    const exchanges = [await target.send(aRequest())];
    await delay(600);
    tokens.revoke();
    exchanges.push(await target.send(aRequest()));
    expect(issued.filter((each) => each.startsWith('issued-'))).toHaveLength(2);
    expect(issued).toContain(CLIENT.clientSecret);
    const texts = [...exchanges.map((each) => JSON.stringify(each)), target.redact(issued.join(' '))];
    for (const secret of issued) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });

  test('that can not be renewed gives the target up, with the reason', async () => {
    const tokens = await tokenServer(60_000, false);
    const target = await protectedBy(tokens.accepts, { tokens: { full: tokens.source } });
    await target.send(aRequest());
    tokens.revoke();
    tokens.failing = 400;
    await expect(target.send(aRequest())).rejects.toMatchObject({ code: 'token-refused' });
    expect(target.lost?.message).toMatch(
      /^the full token is no longer accepted \(401\), and could not be renewed: The token endpoint http/,
    );
    const sent = target.seen.length;
    await expect(target.send(aRequest())).rejects.toMatchObject({ code: 'token-refused' });
    expect(target.seen).toHaveLength(sent);
  });
});

describe('a 401', () => {
  const odd = aRequest({ operation: operation({ path: '/odd' }) });

  test('of one operation is its own: it is handed out, and nothing is renewed', async () => {
    const tokens = await tokenServer(60_000);
    const target = await protectedBy(tokens.accepts, { tokens: { full: tokens.source } });
    await target.send(aRequest());
    expect(await statusOf(target, odd)).toBe(401);
    expect(await statusOf(target, odd)).toBe(401);
    expect(tokens.requests).toHaveLength(1);
    expect(target.lost).toBeUndefined();
  });

  test('to a plain token that was accepted before gives the target up', async () => {
    let isAccepted = true;
    const target = await protectedBy(() => isAccepted, { tokens: { full: 'plain-token' } });
    expect(await statusOf(target)).toBe(200);
    isAccepted = false;
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => target.send(aRequest())));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(target.lost).toEqual({
      code: 'token-refused',
      token: 'full',
      message: 'the full token (--token / ASSAY_TOKEN) is no longer accepted (401), and is not renewed',
    });
  });

  test('of a revoked token gives the target up, although one operation accepts any token', async () => {
    let isAccepted = true;
    const server = await serve(({ url }, response) =>
      response.writeHead(isAccepted || url === '/api/lax' ? 200 : 401).end('{}'),
    );
    const target = createTarget({ baseUrl: server.url, requireAvailable: true, tokens: { full: 'plain-token' } });
    closeAfterTest(server, target);
    const reads = ['/a', '/b', '/lax'].map((path) => aRequest({ operation: operation({ path }) }));
    for (const read of reads) expect(await statusOf(target, read)).toBe(200);
    isAccepted = false;
    await expect(target.send(reads[0] ?? aRequest())).rejects.toMatchObject({ code: 'token-refused' });
  });

  test('that a request is about renews nothing', async () => {
    const tokens = await tokenServer(60_000);
    const target = await protectedBy(tokens.accepts, { tokens: { full: tokens.source, expired: 'old-token' } });
    await target.send(aRequest());
    for (const change of [
      { identity: 'none' },
      { identity: 'invalid' },
      { identity: 'expired' },
      { authorization: '$ASSAY_TOKEN' },
    ] as const)
      expect(await statusOf(target, aRequest(change))).toBe(401);
    expect(target.seen).toHaveLength(5);
    expect(tokens.requests).toHaveLength(1);
  });
});

describe('a command', () => {
  const printing = (token: string): { readonly command: string; readonly file: string } => {
    const file = join(emptyDirectory(), 'token');
    writeFileSync(file, token);
    return { command: `cat '${file}'`, file };
  };

  test.each([
    ['text', 'abc-1'],
    ['a header', 'Authorization: Bearer abc-1\n'],
    ['JSON', '{"token":"abc-1","expiresAt":"2999-01-01T00:00:00Z"}'],
    ['the answer of a token endpoint', '{"access_token":"abc-1","expires_in":3600}'],
    [
      'an ExecCredential',
      '{"kind":"ExecCredential","status":{"token":"abc-1","expirationTimestamp":"2999-01-01T00:00:00Z"}}',
    ],
  ])('prints its token as %s', async (_name, print) => {
    const { command } = printing(print);
    const target = await protectedBy((token) => token === 'abc-1', { tokens: { full: { command } } });
    expect(await statusOf(target)).toBe(200);
  });

  test('runs again where its token is refused', async () => {
    const { command, file } = printing('first');
    let accepted = 'first';
    const target = await protectedBy((token) => token === accepted, { tokens: { full: { command } } });
    expect(await statusOf(target)).toBe(200);
    accepted = 'second';
    writeFileSync(file, 'second');
    expect(await statusOf(target)).toBe(200);
    accepted = 'third';
    await expect(target.send(aRequest())).rejects.toMatchObject({ code: 'token-refused' });
    expect(target.lost?.message).toContain('renewal returned the same token');
  });

  test.each([
    ['exit 3', /exit code 3/],
    ['echo "secret-0123456789abcdefghij" >&2; exit 1', /exit code 1: …$/],
    ['true', /printed no token/],
    ['no-such-program-here', /exit code 127/],
  ])('%s is named as the reason', async (command, reason) => {
    const target = await protectedBy(() => true, { tokens: { full: { command } } });
    await expect(target.send(aRequest())).rejects.toMatchObject({ code: 'token-refused' });
    expect(target.lost?.message).toMatch(reason);
    expect(target.seen).toEqual([]);
  });
});
