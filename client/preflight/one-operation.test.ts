import { describe, expect, test } from 'vitest';
import { BEARER } from '../../spec/index.ts';
import { answering, contractOf, operation, serve, closeAfterTest, kept } from '../testing/fixtures.ts';
import type { TargetOptions } from '../options.ts';
import { diagnose } from './diagnose.ts';
import { preflight } from './preflight.ts';
import { chooseProbes } from './probes.ts';

describe('one operation does not decide over a token', () => {
  const paths = ['/alpha', '/beta', '/gamma'];
  const contract = contractOf(
    ...paths.map((path) => operation({ path, permission: 'RACI:all', security: [[{ ...BEARER, name: 'token' }]] })),
  );
  const REGULAR: Readonly<Record<string, number>> = { 'Bearer full': 200, 'Bearer limited': 403 };
  /** A service where one path answers all requests with one status. */
  const serviceWith = async (path: string, status: number): Promise<string> => {
    const service = serve(({ url = '', headers }, response) => {
      response.setHeader('content-type', 'application/json');
      const regular = REGULAR[headers.authorization ?? ''] ?? 401;
      response.writeHead(url.includes(path) ? status : regular).end('[]');
    });
    return (await kept(service)).url;
  };

  test.each(paths)('%s accepts every token', async (path) => {
    const baseUrl = await serviceWith(path, 200);
    const check = (full: string, limited: string): Promise<void> =>
      preflight({ baseUrl, tokens: { full, limited } }, contract, {});
    await expect(check('wrong', 'limited')).rejects.toThrow('does not accept the token');
    await expect(check('full', 'wrong')).rejects.toThrow('does not accept the limited token');
    await check('full', 'limited');
  });

  test.each([200, 401, 403, 500])('in a diagnosis, where one operation always answers %i', async (status) => {
    const baseUrl = await serviceWith('/beta', status);
    const diagnosed = async (tokens: NonNullable<TargetOptions['tokens']>): Promise<readonly (string | undefined)[]> =>
      (await diagnose({ baseUrl, tokens }, contract)).identities.map((each) => each.problem);
    const right = await diagnosed({ full: 'full', limited: 'limited', expired: 'expired' });
    expect(right).toEqual([undefined, undefined, undefined]);
    const wrong = await diagnosed({ full: 'expired', limited: 'full', expired: 'full' });
    expect(wrong).toEqual(
      ['not accepted', 'should not have', 'not expired'].map((part) => expect.stringContaining(part)),
    );
  });
});

test('an operation that declares no security tells nothing of the key that others refuse', async () => {
  const key = {
    name: 'tokenAuth',
    kind: 'apiKey',
    in: 'header',
    parameter: 'authorization',
    takesToken: true,
  } as const;
  const contract = contractOf(
    operation({ tag: 'api', path: '/schema', permission: 'unstated', authUndeclared: true }),
    ...['/things', '/parts'].map((path) => operation({ tag: 'api', path, permission: 'unstated', security: [[key]] })),
  );
  const server = await serve(({ url = '', headers }, response) => {
    const isServed = url.endsWith('/schema') || headers.authorization === 'Bearer right';
    response.writeHead(isServed ? 200 : 401, { 'content-type': 'application/json' }).end(`["${url}"]`);
  });
  closeAfterTest(server);
  const check = (full: string): Promise<void> => preflight({ baseUrl: server.url, tokens: { full } }, contract, {});
  await expect(check('wrong')).rejects.toMatchObject({
    message: expect.stringContaining('does not accept the token'),
    hint: expect.stringContaining("--credential 'tokenAuth: PREFIX KEY'"),
  });
  await check('right');
});

test('where the only operation is not found, the hint names its path', async () => {
  const { url: baseUrl } = await kept(serve(answering(404)));
  const problem = preflight({ baseUrl, tokens: {} }, contractOf(operation({ path: '/alpha' })), {});
  await expect(problem).rejects.toMatchObject({
    message: expect.stringContaining('/alpha returns 404.'),
    hint: expect.stringMatching(/^The base URL is what comes before \S*\/alpha; /u),
  });
});

test('no probe ends the session of the token, with GET neither', () => {
  const paths = ['/user/logout', '/sign-out/', '/user/me'];
  const probes = chooseProbes(contractOf(...paths.map((path) => operation({ path }))));
  expect(probes.map((each) => each.operation.path)).toEqual(['/user/me']);
});
