import { expect, test } from 'vitest';
import { loadWritten, OK, openapi } from '../../spec/testing/description-file.ts';
import { refuseUnknownCredentials, tokensOf } from './tokens.ts';
import type { TokenSettings } from './tokens.ts';

test.each([
  ['used', {}],
  ['spare', { message: expect.stringMatching(/names spare, which no operation of the description requires/) }],
  ['usde', { message: expect.stringMatching(/names usde, which is not a security scheme of the description/) }],
])('a secret of the scheme %s', async (name, refusal) => {
  const schemes = { used: { type: 'http', scheme: 'basic' }, spare: { type: 'apiKey', in: 'header', name: 'x-key' } };
  const contract = await loadWritten(
    openapi(
      { '/a': { get: { security: [{ used: [] }], responses: OK } } },
      { components: { securitySchemes: schemes } },
    ),
  );
  const check = (): void => refuseUnknownCredentials({ credential: { [name]: 'secret' }, credentials: {} }, contract);
  if ('message' in refusal) expect(check).toThrow(expect.objectContaining(refusal));
  else expect(check).not.toThrow();
});

const oauth = (tokenUrl: string, flow = 'clientCredentials') => ({
  type: 'oauth2',
  flows: { [flow]: { tokenUrl, scopes: {} } },
});

test.each([
  ['is used', { a: oauth('https://login.example.com/token') }, 'https://login.example.com/token'],
  ['may be relative to the server', { a: oauth('/connect/token') }, 'https://api.example.com/connect/token'],
  ['may stand in several schemes', { a: oauth('/t'), b: oauth('/t') }, 'https://api.example.com/t'],
  [
    'may be one of Swagger 2',
    { a: { type: 'oauth2', flow: 'application', tokenUrl: '/t' } },
    'https://api.example.com/t',
  ],
  ['must be one', { a: oauth('/t'), b: oauth('/u') }, /several token endpoints/],
  ['must be encrypted', { a: oauth('http://login.example.com/token') }, /not an https: URL/],
  ['must be a URL', { a: oauth('https://[') }, /not a URL/],
  ['is needed for the flow', { a: oauth('/t', 'password') }, /is for a token endpoint/],
])('the token endpoint of a description %s', async (_case, securitySchemes, expected) => {
  const contract = await loadWritten(
    openapi({ '/a': { get: { responses: OK } } }, { components: { securitySchemes } }),
  );
  const baseUrl = 'https://api.example.com';
  const settings = { baseUrl, clientId: 'us', auth: {}, tokens: {}, credential: {}, credentials: {} } as TokenSettings;
  const read = (): unknown => tokensOf(settings, contract).full;
  if (typeof expected === 'string') expect(read()).toEqual({ tokenUrl: expected, clientId: 'us' });
  else expect(read).toThrow(expected);
});
