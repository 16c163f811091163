import { expect, test } from 'vitest';
import { describeScheme } from '../security.ts';
import { OK, loadPaths, loadWritten, openapi } from '../testing/description-file.ts';

const operation = (security?: object, more: object = {}): object => ({
  get: { responses: OK, ...(security === undefined ? {} : { security }), ...more },
});

const securitySchemes = {
  key: { type: 'apiKey', in: 'query', name: 'api_key', description: 'Ask the\nadministrator' },
  login: { type: 'http', scheme: 'Basic' },
  jwt: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Example: "Bearer {token}"' },
  digest: { type: 'http', scheme: 'digest' },
  mutual: { type: 'mutualTLS' },
};

test('alternatives of schemes; what cannot be sent is left out', async () => {
  const paths = {
    '/and': operation([{ key: [], login: [] }]),
    '/or': operation([{ login: [] }, { jwt: [] }]),
    '/digest': operation([{ digest: [] }, { key: [] }]),
    '/mutual': operation([{ mutual: [] }]),
    '/open': operation([]),
    '/root': operation(),
  };
  const description = openapi(paths, { components: { securitySchemes }, security: [{ jwt: [] }] });
  const { operations, problems } = await loadWritten(description);
  const seen = operations.map(({ path, security, authUndeclared }) => [
    path,
    security?.map((schemes) => schemes.map(describeScheme)) ?? authUndeclared ?? 'open',
  ]);
  expect(seen).toEqual([
    ['/and', [['key (key in the query parameter api_key)', 'login (user name and password, HTTP Basic)']]],
    ['/or', [['login (user name and password, HTTP Basic)'], ['an API token (jwt)']]],
    ['/digest', [['key (key in the query parameter api_key)']]],
    ['/mutual', true],
    ['/open', 'open'],
    ['/root', [['an API token (jwt)']]],
  ]);
  expect(operations[0]?.security?.[0]?.[0]).toMatchObject({ takesToken: false, about: 'Ask the' });
  expect(problems.map(({ code }) => code)).toEqual(['security-scheme']);
});

test('the only key of a description takes the token, and is no parameter', async () => {
  const parameters = [{ name: 'api_key', in: 'query', schema: { type: 'string' } }];
  const components = { securitySchemes: { key: securitySchemes.key } };
  const { operations } = await loadPaths({ '/a': operation([{ key: [] }], { parameters }) }, { components });
  expect(operations[0]?.security?.[0]?.[0]?.takesToken).toBe(true);
  expect(operations[0]?.parameters).toEqual([]);
});

test('a scheme that is required and not declared is a problem, named once', async () => {
  const description = openapi({ '/a': operation([{ nope: [] }]), '/b': operation([{ nope: [] }]) }, {});
  const { operations, problems } = await loadWritten(description);
  expect(problems.map(({ code, severity }) => [code, severity])).toEqual([['security-undeclared', 'warning']]);
  expect(operations[0]?.security?.map((schemes) => schemes.map(({ kind }) => kind))).toEqual([['bearer']]);
});
