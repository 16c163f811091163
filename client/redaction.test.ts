import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { aRequest, targetServing } from './testing/fixtures.ts';
import { showExchange } from './show/show.ts';
import { Secrets } from '../spec/index.ts';
import { KeyRing } from './tokens.ts';
import type { Tokens } from './tokens.ts';

const ringOf = (tokens: Tokens): KeyRing => new KeyRing(tokens, { secrets: new Secrets(), insecure: false });
const redactorOf = (tokens: Tokens): KeyRing['redactor'] => ringOf(tokens).redactor;

const SECRET = 'tok+en/with=odd&chars';

const ECHOES: Readonly<Record<string, (token: string) => string>> = {
  plain: (token) => `{"you sent":"${token}"}`,
  uri: (token) => `{"you sent":"${encodeURIComponent(token)}"}`,
  json: (token) => `{"you sent":"${token.replace('/', '\\/')}"}`,
  'json hex': (token) =>
    `{"you sent":"${token.replace(/./g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}"}`,
  dotnet: (token) => `{"you sent":"${token.replace('+', '\\u002B').replace('&', '\\u0026')}"}`,
  html: (token) => `<p>${token.replace('&', '&amp;')}</p>`,
  base64: (token) => `{"you sent":"${Buffer.from(token).toString('base64')}"}`,
  'base64 after others': (token) => `{"you sent":"${Buffer.from(`user1:${token}`).toString('base64')}"}`,
  base64url: (token) => `{"you sent":"${Buffer.from(`u:${token}`).toString('base64url')}"}`,
  hex: (token) => `{"you sent":"${Buffer.from(token).toString('hex')}"}`,
  'percent-encoded twice': (token) => `{"you sent":"${encodeURIComponent(encodeURIComponent(token))}"}`,
  'percent-encoded whole': (token) =>
    `you sent ${Array.from(token, (each) => `%${each.charCodeAt(0).toString(16)}`).join('')}`,
  'in two lines': (token) => `you sent ${token.slice(0, 7)}\r\n  ${token.slice(7)}`,
  references: (token) => `<p>${Array.from(token, (each) => `&#${each.charCodeAt(0)};`).join('')}</p>`,
};

test.each(Object.keys(ECHOES))('a token that the target echoes as %s is not in the exchange', async (name) => {
  const echo: RequestListener = (request, response) => {
    const token = (request.headers.authorization ?? '').slice('Bearer '.length);
    expect(token).toBe(SECRET);
    response.writeHead(200, { 'content-type': 'application/json', 'x-echo': token });
    response.end(ECHOES[name]?.(token));
  };
  const target = await targetServing(echo, { tokens: { full: SECRET } });
  const exchange = await target.send(
    aRequest({
      rawQuery: `key=${encodeURIComponent(SECRET)}`,
      body: { type: 'text/plain', content: SECRET },
      method: 'POST',
    }),
  );
  const text = JSON.stringify([showExchange(exchange), exchange.response?.json]);
  const spelt = [
    SECRET,
    encodeURIComponent(SECRET),
    'dG9rK2VuL3dpdGg9b2RkJmNoYXJz',
    Buffer.from(SECRET).toString('hex'),
    SECRET.slice(0, 7),
    '%74%6f%6b',
    '&#116;&#111;',
  ];
  for (const spelling of spelt) expect(text).not.toContain(spelling);
  expect(Buffer.from(exchange.response?.body ?? []).toString()).toContain('$ASSAY_TOKEN');
  expect(exchange.request.headers['authorization']).toBe('Bearer $ASSAY_TOKEN');
  expect(exchange.request.url).toContain('key=$ASSAY_TOKEN');
  expect(exchange.response?.headers.find(([header]) => header === 'x-echo')?.[1]).toBe('$ASSAY_TOKEN');
});

test('each token is replaced by its own name, longer tokens first', () => {
  const redactor = redactorOf({ full: 'secret-1', limited: 'secret-12', expired: 'old-secret' });
  expect(redactor.text('secret-12 secret-1 old-secret')).toBe('$ASSAY_LIMITED_TOKEN $ASSAY_TOKEN $ASSAY_EXPIRED_TOKEN');
});

test('a token that was sent without its last character is replaced, too', () => {
  const ring = ringOf({ full: 'secret-123' });
  expect(ring.fillIn('Bearer ${ASSAY_TOKEN%?}')).toBe('Bearer secret-12');
  expect(ring.redactor.text('secret-12 secret-123')).toBe('${ASSAY_TOKEN%?} $ASSAY_TOKEN');
});

test('bytes without a token stay the same object; bytes around a token do not change', () => {
  const redactor = redactorOf({ full: 'secret-1' });
  const clean = Buffer.from([0, 255, 128]);
  expect(redactor.bytes(clean)).toBe(clean);
  expect(Buffer.from(redactor.bytes(Buffer.concat([clean, Buffer.from('secret-1')])))).toEqual(
    Buffer.concat([clean, Buffer.from('$ASSAY_TOKEN')]),
  );
});

test('a very short token is only replaced after Bearer', () => {
  const redactor = redactorOf({ full: 'a' });
  expect(redactor.text('a banana, Bearer a')).toBe('a banana, Bearer $ASSAY_TOKEN');
});

test('a password that is an ordinary word is not replaced within other words and in paths', () => {
  const redactor = redactorOf({ credentials: { ASSAY_CREDENTIAL_BASIC: 'joe:reports' } });
  expect(redactor.text('GET /reports: 3 subreports; password=reports, reports')).toBe(
    'GET /reports: 3 subreports; password=$ASSAY_CREDENTIAL_BASIC, $ASSAY_CREDENTIAL_BASIC',
  );
});
