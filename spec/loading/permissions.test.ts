import { expect, test } from 'vitest';
import type { Contract } from '../contract.ts';
import { OK, loadPaths } from '../testing/description-file.ts';

const get = (more: object = {}): object => ({ get: { responses: OK, ...more } });

/** Permissions, with a question mark where the description does not say that a token is needed. */
function seen(contract: Contract): readonly string[] {
  return contract.operations.map((item) => `${item.permission}${item.authUndeclared === true ? '?' : ''}`);
}

test('extension, summary, security', async () => {
  const paths = {
    '/a': get({ summary: 'Auth policies: RACI:management.things' }),
    '/b': get({ summary: 'Lists. Auth' }),
    '/c': get({ security: [] }),
    '/d': get({ 'x-permission': 'RACI:x' }),
    '/e': get(),
    '/f': get({ summary: 'Author of a thing' }),
  };
  const undeclared = ['RACI:management.things', 'any', 'none', 'RACI:x', 'unstated?', 'unstated?'];
  expect(seen(await loadPaths(paths))).toEqual(undeclared);
  const components = { securitySchemes: { Bearer: { type: 'http', scheme: 'bearer' } } };
  const open = await loadPaths(paths, { security: [{}], components });
  expect(seen(open)).toEqual(undeclared);
  expect(open.problems.map(({ code, severity }) => [code, severity])).toEqual([['security', 'note']]);
  expect(seen(await loadPaths(paths, { security: [{ key: [] }] }))).toEqual([
    'RACI:management.things',
    'any',
    'none',
    'RACI:x',
    'unstated',
    'unstated',
  ]);
});

test('the summary goes before a security that requires nothing', async () => {
  const paths = {
    '/a': get({ summary: 'Lists things (Auth policies: RACI:a.b, RACI:c.d)', security: [] }),
    '/b': get({ summary: 'Lists things (Auth)', security: [{}] }),
    '/c': get({ security: [{ key: [] }, {}] }),
  };
  expect(seen(await loadPaths(paths, { security: [{}] }))).toEqual(['RACI:a.b, RACI:c.d', 'any', 'unstated?']);
});
