import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { BEARER } from '../../spec/index.ts';
import type { SecurityScheme } from '../../spec/index.ts';
import { hasCurl, paste } from '../testing/curl.ts';
import { operation, aRequest, targetForAll } from '../testing/fixtures.ts';
import type { RequestSpec } from '../request-spec.ts';
import { toCurl } from './curl.ts';
import { showExchange } from './show.ts';

const SECRETS = { ASSAY_CREDENTIAL_KEY: 'the-real-key', ASSAY_CREDENTIAL_LOGIN: 'ann:p$ss w:rd' };
const received: { line: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
const target = await targetForAll(
  (request, response) => {
    void buffer(request).then((body) => {
      received.push({
        line: `${request.method} ${request.url}`,
        headers: request.headers,
        body: body.toString('base64'),
      });
      response.end('{}');
    });
  },
  { tokens: { full: 'The-Real-Token', credentials: SECRETS } },
);

const json = (content: string | Uint8Array): Partial<RequestSpec> => ({
  method: 'POST',
  body: { type: 'application/json', content },
});
const things = (path: string) => operation({ path: `/things/${path}` });

const key = { name: 'key', kind: 'apiKey', parameter: 'x-api-key', takesToken: false } as const;
const LOGIN = { name: 'login', kind: 'basic', in: 'header', parameter: 'authorization', takesToken: false } as const;
const secured = (...schemes: readonly SecurityScheme[]): Partial<RequestSpec> => ({
  operation: operation({ path: '/things', security: [schemes] }),
});

const PLANS: Readonly<Record<string, Partial<RequestSpec>>> = {
  'a plain GET': {},
  'a JSON body': json('{"name":"plain"}'),
  'quotes, dollars and backticks': json(`{"name":"it's \`id\` $HOME $ASSAY_TOKEN \\"x\\" !! %s"}`),
  'line breaks and other scripts': json('{\n\t"name": "żółć 日本 🎉"\n}'),
  'a body that begins with @': json('@/etc/hostname'),
  'an empty body': json(''),
  'bytes that are no text': json(Uint8Array.from({ length: 256 }, (_, index) => index)),
  'a carriage return': json('a\r\nb'),
  'a long body': json(`"${'x'.repeat(15_000)}"`),
  'a long body of repeated texts': json(
    `{"a%\\\\\\"":"${"it's 1% ".repeat(4_000)}","b":"${'\\\\é'.repeat(9_000)}${'-'.repeat(100_000)}"}`,
  ),
  'brackets in the query': { rawQuery: 'metadataFilter[a b]=c{d}&x=\'"' },
  'dots in the path': { operation: things('../x/./y') },
  'no content type, no accept': { method: 'PUT', body: { content: 'x' }, headers: { accept: undefined } },
  DELETE: { method: 'DELETE' },
  'DELETE with a body': { ...json('[]'), method: 'DELETE' },
  'a GET with a body': { ...json('[]'), method: 'GET' },
  HEAD: { method: 'HEAD' },
  'a compressed response': { headers: { 'accept-encoding': 'gzip' } },
  'no token': { identity: 'none' },
  'an odd Authorization header': { authorization: `Bearer  $ASSAY_TOKEN'"!$x` },
  'a token without its last character': { authorization: 'Bearer ${ASSAY_TOKEN%?}' },
  'a token in lower case': { authorization: 'Bearer $(echo "$ASSAY_TOKEN" | tr A-Z a-z)' },
  'a key in a header': secured({ ...key, in: 'header' }, { ...BEARER, name: 'token' }),
  'a key in the query': { ...secured({ ...key, in: 'query' }), rawQuery: 'a=b' },
  'a key in a cookie': secured({ ...key, in: 'cookie' }),
  'a user name and a password': secured(LOGIN),
  'a wrong password': { ...secured(LOGIN), tampering: { suffix: '.assay' } },
  'an empty header': { headers: { 'x-empty': '', 'x-odd': `a'b"c$d` } },
};

test.skipIf(!hasCurl).each(Object.keys(PLANS))('the curl line of %s sends the same', async (name) => {
  received.length = 0;
  const exchange = await target.send(aRequest(PLANS[name] ?? {}));
  expect(exchange.failure).toBeUndefined();
  const line = toCurl(exchange);
  expect(line).not.toMatch(/the-real|w:rd/i);
  await paste(line, { ...SECRETS, ASSAY_TOKEN: 'The-Real-Token' });
  const [ours, theirs] = received;
  const { connection: _ours, 'user-agent': _assay, traceparent: _trace, ...ourHeaders } = ours?.headers ?? {};
  const { connection: _theirs, 'user-agent': _curl, ...theirHeaders } = theirs?.headers ?? {};
  expect({ ...theirs, headers: theirHeaders }).toEqual({ ...ours, headers: ourHeaders });
});

test('a repeated request has an idempotency key of its own', async () => {
  const line = toCurl(
    await target.send(aRequest({ headers: { 'idempotency-key': randomUUID(), 'x-idempotency-key': 'a b' } })),
  );
  expect(line).toContain('-H "idempotency-key: $(uuidgen || cat /proc/sys/kernel/random/uuid)"');
  expect(line).toContain("-H 'x-idempotency-key: a b'");
});

test('where certificates were not verified, curl does not verify them either', async () => {
  const { request, ...rest } = await target.send(aRequest({}));
  const exchange = { ...rest, request: { ...request, url: request.url.replace('http:', 'https:') } };
  expect(toCurl(exchange, { connection: { insecure: true } })).toMatch(/^curl -sS -i -k /);
  expect(toCurl(exchange)).not.toContain(' -k ');
  const files = { ca: 'ca.pem', cert: 'me.pem', key: 'my key.pem' };
  expect(toCurl(exchange, { connection: files })).toContain("--cacert ca.pem --cert me.pem --key 'my key.pem'");
});

test('a shown exchange is short, and contains the length of the body', async () => {
  const shown = showExchange(
    await target.send(
      aRequest(json(`"${Array.from({ length: 25_000 }, (_, at) => `é${String(at).padStart(6, '0')}`).join('')}"`)),
    ),
    'create it',
  );
  expect(shown.label).toBe('create it');
  expect(shown.request.body?.length).toBeLessThan(4_100);
  expect(shown.request.body).toContain('(200002 bytes in total)');
  expect(shown.curl).toContain('--data-binary @body-of-200002-bytes');
  expect(shown.response).toMatchObject({ status: 200, body: '{}', truncated: false });
});

test.each(['{\n}', '{\t}', '"\u200d"', '"\u2028"'])('a line can be copied as it is shown: %j', async (body) => {
  const line = toCurl(await target.send(aRequest(json(body))));
  expect(line).toMatch(/^printf %s \S+ \| base64 -d \| curl /);
});

test('a short id is replaced as a segment of the path and as the value of a parameter for an id only', async () => {
  const { request, ...rest } = await target.send(aRequest({ ...json('{"page":1}'), headers: { 'x-page': '1' } }));
  const url = 'http://127.0.0.1:1/v1/things/1?page=1&thing_id=1';
  const line = toCurl({ ...rest, request: { ...request, url } }, { variables: new Map([['1', 'id1']]) });
  expect(line).toContain('"http://127.0.0.1:1/v1/things/$id1?page=1&thing_id=$id1"');
  expect(line).toContain("-H 'x-page: 1'");
  expect(line).toContain(`'{"page":1}'`);
});
