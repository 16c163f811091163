import { expect, test } from 'vitest';
import { loadWritten, OK, openapi } from '../../spec/testing/description-file.ts';
import { refuseUnknownCredentials } from './tokens.ts';

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
