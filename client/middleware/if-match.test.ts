import { beforeEach, expect, test } from 'vitest';
import type { Parameter } from '../../spec/index.ts';
import type { Target } from '../pipeline.ts';
import { operation, targetServing } from '../testing/fixtures.ts';

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: true,
  style: 'simple',
  explode: false,
  allowReserved: false,
  schema: { pointer: '', schema: { type: 'string' } },
};
const PATH = { path: '/things/{id}' };
const read = operation(PATH);
const replace = operation({ ...PATH, method: 'PUT', parameters: [IF_MATCH] });
const remove = operation({ ...PATH, method: 'DELETE' });

let target: Target;
let received: string[];

beforeEach(async () => {
  received = [];
  let version = 1;
  target = await targetServing(
    (request, response) => {
      received.push(`${request.method} ${request.url} ${request.headers['if-match'] ?? '-'}`);
      if (request.method === 'GET') response.setHeader('etag', `"v${version}"`);
      else version += 1;
      response.end();
    },
    { readOf: () => read, requiredOf: () => ({ headers: { 'if-match': 'generated' } }) },
  );
});

test('a change sends the current ETag of its item, read before each request, in place of a generated value', async () => {
  await target.send({ operation: replace, path: { id: '7' } });
  await target.send({ operation: replace, path: { id: '7' } });
  expect(received.filter((line) => line.startsWith('PUT'))).toEqual([
    'PUT /api/things/7 "v1"',
    'PUT /api/things/7 "v2"',
  ]);
});

test('nothing is read for a request that sets the header or leaves it out, or whose operation does not declare it', async () => {
  await target.send({ operation: replace, path: { id: '7' }, headers: { 'if-match': '*' } });
  await target.send({ operation: replace, path: { id: '7' }, headers: { 'if-match': undefined } });
  await target.send({ operation: remove, path: { id: '7' }, headers: { 'if-match': undefined } });
  expect(received).toEqual(['PUT /api/things/7 *', 'PUT /api/things/7 -', 'DELETE /api/things/7 -']);
});
