import { expect, test } from 'vitest';
import { loadPaths } from '../testing/description-file.ts';
import type { Exchange } from '../exchange.ts';
import { explains } from '../explains.ts';
import { headersDeclared } from './headers-declared.ts';

const HEADERS = {
  'X-Count': { schema: { type: 'integer', maximum: 100 } },
  'X-Kind': { schema: { type: 'string', enum: ['a', '1'] } },
  'X-Ids': { schema: { type: 'array', items: { type: 'integer' } } },
  'X-Last': { schema: { type: 'boolean' } },
  'X-More': { schema: { type: 'object', required: ['a'] } },
  'Last-Modified': { schema: { type: 'string', format: 'date-time' } },
};

test.each<[string, readonly (readonly [string, string])[], string | undefined]>([
  ['a number', [['x-count', '12']], undefined],
  ['a text that is no number', [['x-count', 'many']], 'an integer'],
  ['a number that is too large', [['x-count', '101']], 'must be <= 100'],
  ['a text of digits', [['x-kind', '1']], undefined],
  ['another text', [['x-kind', 'b']], 'one of ["a","1"]'],
  ['a list', [['x-ids', '1, 2']], undefined],
  [
    'a list in two headers',
    [
      ['x-ids', '1'],
      ['x-ids', '2'],
    ],
    undefined,
  ],
  ['a list of texts', [['x-ids', '1,b']], 'an integer'],
  ['a truth value', [['x-last', 'true']], undefined],
  ['members, which are not read', [['x-more', 'b,1']], undefined],
  ['a date of HTTP', [['last-modified', 'Wed, 21 Oct 2015 07:28:00 GMT']], undefined],
])('a header with %s', async (_, headers, expected) => {
  const responses = { 200: { description: 'ok', headers: HEADERS } };
  const contract = await loadPaths({ '/books': { get: { responses } } });
  const operation = contract.operation('GET /books') ?? expect.fail('no operation');
  const exchange = {
    request: { method: 'GET', url: '/books', headers: {} },
    response: { status: 200, headers, body: Buffer.alloc(0), truncated: false },
  } as unknown as Exchange;
  const found = headersDeclared({ contract, operation, exchange, expectation: 'any' });
  expect(found[0]?.expected).toBe(expected);
  const cause = found.map((each) => ({ ...each, exchanges: [exchange] }))[0];
  const other = { code: 'response-media-types/content', message: '', expected: '', received: '' } as const;
  expect(cause !== undefined && explains(cause, { ...other, exchanges: [exchange] })).toBe(false);
  expect(found.map(({ code }) => code)).toEqual(expected === undefined ? [] : ['headers-declared/mismatch']);
});
