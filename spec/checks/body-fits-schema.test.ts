import { expect, test } from 'vitest';
import type { Exchange } from '../index.ts';
import { bodyFitsSchema } from './body-fits-schema.ts';
import { loadWritten, openapi } from '../testing/description-file.ts';

test.each([
  ['is one violation, and says what the schema allows', { type: 'string', enum: ['novel'] }, ['a string']],
  [
    'contradicts a documented enumeration also where the type is only published',
    { allOf: [{ type: 'string', 'x-grade': 'published' }, { enum: ['novel'] }] },
    ['one of ["novel"]', 'a string'],
  ],
])('a null in place of a string of an enumeration %s', async (_, genre, expected) => {
  const schema = { type: 'object', properties: { genre } };
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  const contract = await loadWritten(openapi({ '/books': { get: { responses } } }));
  const operation = contract.operation('GET /books') ?? expect.fail('no GET /books');
  const json = { genre: null };
  const exchange = {
    request: { method: 'GET', url: '/books', headers: {} },
    response: {
      status: 200,
      headers: [],
      mediaType: 'application/json',
      body: Buffer.from(JSON.stringify(json)),
      json,
      truncated: false,
    },
  } as unknown as Exchange;
  const found = bodyFitsSchema({ contract, operation, exchange, expectation: 'any' });
  expect(found.map((each) => each.expected)).toEqual(expected);
  expect(found.at(-1)).toMatchObject({ instancePointer: '/genre', received: 'null' });
});
