import { expect, test } from 'vitest';
import { contractOf, judgeExchange } from '../../spec/index.ts';
import type { Contract, Exchange } from '../../spec/index.ts';
import { resourcesOf } from '../resources.ts';
import { plainBody, plainRequest } from './plain-request.ts';

const BOOK = {
  type: 'object',
  required: ['subject', 'pages'],
  properties: {
    subject: { type: 'string', minLength: 3, maxLength: 80 },
    pages: { type: 'integer', minimum: 1 },
    author: { type: 'integer' },
    state: { type: 'string', enum: ['open', 'closed'] },
  },
};
const OK = { responses: { 200: { description: 'ok' } } };
const ID = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] };

function books(): Contract {
  const content = { 'application/json': { schema: BOOK } };
  return contractOf(
    {
      openapi: '3.0.3',
      info: { title: 'Library', version: '1' },
      paths: {
        '/books/': { get: OK, post: { ...OK, requestBody: { required: true, content } } },
        '/books/{id}/': { ...ID, get: OK, delete: OK },
      },
    },
    'books.json',
  );
}

test('paths that end in a slash form a resource, whose creation can be undone', () => {
  const contract = books();
  expect(resourcesOf(contract).map(({ create, read, remove }) => [create.id, read?.id, remove.id])).toEqual([
    ['POST /books/', 'GET /books/{id}/', 'DELETE /books/{id}/'],
  ]);
  expect(contract.operation('POST /books/')?.effect).toBe('reversible');
});

test('a plain body has its required members only, and the name in a text that is open', () => {
  const contract = books();
  const operation = contract.operation('POST /books/');
  const body = operation === undefined ? undefined : plainBody(contract, operation, 'assay-1-n1');
  expect(body).toEqual({ subject: 'assay-1-n1', pages: expect.any(Number) as number });
});

test('a plain body has the required members of its objects only', () => {
  const text = { type: 'string', minLength: 1 };
  const attributes = { type: 'object', required: ['subject'], properties: { subject: text, note: text } };
  const author = { type: 'object', required: ['id'], properties: { id: text } };
  const options = {
    type: 'object',
    required: ['size'],
    properties: { size: { type: 'object', properties: { w: text } } },
  };
  const properties = { attributes, author, options };
  const schema = { type: 'object', required: ['attributes', 'options'], properties };
  const data = { type: 'object', required: ['data'], properties: { data: schema } };
  const content = { 'application/json': { schema: data } };
  const paths = { '/books': { post: { ...OK, requestBody: { required: true, content } } } };
  const contract = contractOf({ openapi: '3.0.3', info: { title: 'Library', version: '1' }, paths }, 'books.json');
  const [operation] = contract.operations;
  const body = operation && plainRequest(contract, operation)?.json;
  expect(body).toEqual({
    data: { attributes: { subject: expect.any(String) as string }, options: { size: expect.anything() as object } },
  });
});

test.each([
  ['{"subject":"abc","pages":1}', undefined],
  ['{"subject": NaN}', 'inferred'],
  [`${'['.repeat(200)}${']'.repeat(200)}`, 'inferred'],
])('a server error for %.30s has the grade %s', (body, grade) => {
  const contract = books();
  const operation = contract.operation('POST /books/') ?? expect.fail('no such operation');
  const exchange = {
    id: '1',
    operation: operation.id,
    form: '',
    request: {
      method: 'POST',
      url: 'http://x/books/',
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(body),
    },
    response: { status: 500, headers: [], body: new Uint8Array() },
  } as unknown as Exchange;
  const found = judgeExchange(contract, operation, exchange).find(({ code }) => code === 'no-server-error/status');
  expect(found?.code).toBe('no-server-error/status');
  expect(found?.grade).toBe(grade);
});

test('the items of a collection may have paths in the singular', () => {
  const post = { responses: OK.responses };
  const contract = contractOf(
    {
      openapi: '3.0.3',
      info: { title: 'Silences', version: '1' },
      paths: {
        '/silences': { get: OK, post },
        '/silence/{id}': { ...ID, get: OK, delete: OK },
        '/categories': { post },
        '/category/{id}': { ...ID, delete: OK },
        '/address': { post },
        '/addres/{id}': { ...ID, get: OK },
      },
    },
    'silences.json',
  );
  expect(resourcesOf(contract).map(({ create, list, remove }) => [create.id, list?.id, remove.id])).toEqual([
    ['POST /silences', 'GET /silences', 'DELETE /silence/{id}'],
    ['POST /categories', undefined, 'DELETE /category/{id}'],
  ]);
  const effectOf = (id: string): unknown => contract.operation(id)?.effect;
  expect(['POST /silences', 'POST /address'].map(effectOf)).toEqual(['reversible', 'irreversible']);
});

test('a plain body has no empty texts, also within lists, and its periods end after they begin', () => {
  const matcher = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const time = { type: 'string', format: 'date-time' };
  const period = {
    type: 'object',
    required: ['matchers', 'startsAt', 'endsAt'],
    properties: { matchers: { type: 'array', minItems: 1, maxItems: 1, items: matcher }, startsAt: time, endsAt: time },
  };
  const post = { ...OK, requestBody: { required: true, content: { 'application/json': { schema: period } } } };
  const contract = contractOf(
    { openapi: '3.0.3', info: { title: 'Silences', version: '1' }, paths: { '/silences': { post } } },
    'silences.json',
  );
  const operation = contract.operation('POST /silences');
  const body = operation && plainRequest(contract, operation)?.json;
  expect(body).toMatchObject({
    matchers: [{ name: expect.stringMatching(/./) as string }],
    endsAt: '2099-01-01T00:00:00Z',
  });
});
