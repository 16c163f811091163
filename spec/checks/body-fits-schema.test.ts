import { expect, test } from 'vitest';
import type { Exchange } from '../index.ts';
import { bodyFitsSchema } from './body-fits-schema.ts';
import { loadWritten, openapi } from '../testing/description-file.ts';

test('a null in place of a text of an enumeration is one violation, and says what the schema allows', async () => {
  const schema = { type: 'object', properties: { genre: { type: 'string', enum: ['novel'] } } };
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
  expect(found).toMatchObject([{ subject: '/genre type', expected: 'a string', received: 'null' }]);
});
