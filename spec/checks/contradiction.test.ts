import { expect, test } from 'vitest';
import { OK, loadPaths } from '../testing/description-file.ts';
import type { Exchange } from '../exchange.ts';
import { contradiction } from './contradiction.ts';

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['nothing', { accept: '*/*', 'x-other': 'a' }, 1],
  ['a header that may name a resource', { 'x-tenant-id': 'a' }, 0],
  ['a cookie that may name a resource', { cookie: 'shop=a' }, 0],
])('an undeclared 404 to a request with %s', async (_, headers, count) => {
  const parameters = [
    { name: 'X-Tenant-Id', in: 'header', schema: { type: 'string' } },
    { name: 'shop', in: 'cookie', schema: { type: 'string' } },
  ];
  const contract = await loadPaths({ '/books': { get: { parameters, responses: OK } } });
  const operation = contract.operation('GET /books') ?? expect.fail('no operation');
  const exchange = { identity: 'full', request: { method: 'GET', url: '/books', headers } } as unknown as Exchange;
  expect(contradiction(operation, exchange, 404)).toHaveLength(count);
});

test.each([
  [404, false, ['inferred']],
  [404, true, [undefined]],
  [405, false, [undefined]],
])(
  'an undeclared %i to a request that names nothing: the cart of the user may be missing',
  async (status, isUnrouted, grades) => {
    const contract = await loadPaths({ '/cart': { get: { responses: OK } } });
    const operation = contract.operation('GET /cart') ?? expect.fail('no operation');
    const request = { method: 'GET', url: '/cart', headers: {} };
    const exchange = { identity: 'full', request, isUnrouted } as unknown as Exchange;
    expect(contradiction(operation, exchange, status).map(({ grade }) => grade)).toEqual(grades);
  },
);
