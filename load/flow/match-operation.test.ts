import { expect, it } from 'vitest';
import { matcher } from './match-operation.ts';

const operation = (id: string, paths: readonly string[]) => ({
  id,
  method: id.split(' ')[0] ?? '',
  effect: 'reversible' as const,
  forms: paths.map((path) => ({ name: path.slice(0, path.indexOf('/', 1)), path })),
});

const match = matcher([
  operation('GET /items/{id}', ['/api/items/{id}', '/v1/items/{id}']),
  operation('GET /items/actions', ['/api/items/actions', '/v1/items/actions']),
  operation('POST /items', ['/api/items', '/v1/items']),
]);

it.each([
  ['GET', '/v1/items/7?x=1', 'GET /items/{id}', '/v1'],
  ['GET', '/api/items/actions', 'GET /items/actions', '/api'],
  ['POST', '/api/items', 'POST /items', '/api'],
  ['PUT', '/api/items/7', 'PUT /api/items/{id}', ''],
  ['GET', '/other/3f2504e0-4f89-41d3-9a0c-0305e82c3301/x', 'GET /other/{id}/x', ''],
])('%s %s is counted as %s', (method, path, id, form) => {
  expect(match(method, path)).toMatchObject({ operation: id, form });
});

it('what no operation describes reads with GET only', () => {
  expect(match('GET', '/a')).toMatchObject({ effect: 'read', isUnknown: true });
  expect(match('DELETE', '/a')).toMatchObject({ effect: 'irreversible', isUnknown: true });
  expect(match('POST', '/api/items').isUnknown).toBeUndefined();
});
