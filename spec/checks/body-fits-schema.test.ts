import { expect, test } from 'vitest';
import type { Exchange, Json, Method } from '../index.ts';
import { bodyFitsSchema } from './body-fits-schema.ts';
import { loadPaths } from '../testing/description-file.ts';

async function judged(method: Method, responses: Json, response: object): Promise<ReturnType<typeof bodyFitsSchema>> {
  const contract = await loadPaths({ '/books': { [method.toLowerCase()]: { responses } } });
  const operation = contract.operation(`${method} /books`) ?? expect.fail('no operation');
  const exchange = {
    request: { method, url: '/books', headers: {} },
    response: { status: 200, headers: [], truncated: false, ...response },
  } as unknown as Exchange;
  return bodyFitsSchema({ contract, operation, exchange, expectation: 'any' });
}

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
  const json = { genre: null };
  const found = await judged('GET', responses, {
    mediaType: 'application/json',
    body: Buffer.from(JSON.stringify(json)),
    json,
  });
  expect(found.map((each) => each.expected)).toEqual(expected);
  expect(found.at(-1)).toMatchObject({ instancePointer: '/genre', received: 'null' });
});

const OBJECT = { schema: { type: 'object' } };

test.each<[string, Method, Json, object, string | undefined]>([
  ['HEAD', 'HEAD', { 'application/json': OBJECT }, { mediaType: 'application/json' }, undefined],
  ['an empty file', 'GET', { 'text/csv': {} }, { mediaType: 'text/csv' }, undefined],
  ['an empty file without a type', 'GET', { 'application/octet-stream': {} }, {}, undefined],
  ['an empty text without a type', 'GET', { 'text/plain': { schema: { type: 'string' } } }, {}, undefined],
  ['no object', 'GET', { 'application/xml': OBJECT, 'text/plain': OBJECT }, {}, 'a body of application/xml'],
  ['no JSON without a schema', 'GET', { 'application/json': {} }, {}, 'a body of application/json'],
])('a body of no bytes: %s', async (_, method, content, response, expected) => {
  const responses = {
    101: { description: 'other', content: { 'image/png': {} } },
    200: { description: 'ok', content },
  };
  const found = await judged(method, responses, { body: Buffer.alloc(0), ...response });
  expect(found[0]?.expected).toBe(expected);
});

const TEXT = { schema: { type: 'string' } };

test.each<[string, Json, number]>([
  ['its own schema, not that of a range before it', { '*/*': TEXT, 'application/json': OBJECT }, 0],
  ['the schema of the narrowest range', { '*/*': TEXT, 'application/*': OBJECT }, 0],
  ['no schema if parameters decide it', { 'application/json; v=1': TEXT, 'application/json; v=2': OBJECT }, 0],
  ['the same schema with any parameters', { 'application/json; v=1': TEXT, 'application/json; v=2': TEXT }, 1],
])('a body has %s', async (_, content, count) => {
  const response = { mediaType: 'application/json', body: Buffer.from('{}'), json: {} };
  expect(await judged('GET', { 200: { description: 'ok', content } }, response)).toHaveLength(count);
});
