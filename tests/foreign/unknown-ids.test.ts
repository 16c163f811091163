import { expect, it } from 'vitest';
import type { Answer, Received } from '../../client/testing/json-service.ts';
import { codesIn, verifySmall } from './verify-small.ts';

const parameter = (name: string, schema: object): object => ({ name, in: 'path', required: true, schema });
const [SHOP, BOOK] = [parameter('shop', { type: 'string' }), parameter('book', { type: 'integer' })];
const ANSWERS = { responses: { 200: { description: 'ok' }, 404: { description: 'none' } } };
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Books', version: '1' },
  paths: {
    '/shops': { get: ANSWERS },
    '/shops/{shop}/books': { parameters: [SHOP], get: ANSWERS },
    '/shops/{shop}/books/{book}': { parameters: [SHOP, BOOK], get: ANSWERS },
  },
};

it.each([
  [404, []],
  [500, ['no-server-error/status GET /shops/{shop}/books/{book}']],
])('an unknown item below a known one that is answered with %i: %j', async (status, findings) => {
  const known: Readonly<Record<string, object>> = {
    '/shops': [{ id: 'north' }],
    '/shops/north/books': [{ id: 12 }],
    '/shops/north/books/12': { id: 12 },
  };
  const answer = ({ path }: Received): Answer => {
    const isBook = /^\/shops\/north\/books\/\d+$/.test(path);
    return { status: path in known ? 200 : isBook ? status : 404, json: known[path] ?? {} };
  };
  expect(codesIn(await verifySmall(DESCRIPTION, answer, '--only', 'contract/ids'))).toEqual(findings);
});

it.each([
  [404, []],
  [500, ['no-server-error/status DELETE /silence/{id}']],
])('an unknown uuid of an operation whose items no run can create, answered with %i: %j', async (status, findings) => {
  const id = parameter('id', { type: 'string', format: 'uuid' });
  const paths = { '/silence/{id}': { parameters: [id], delete: ANSWERS } };
  const answer = ({ path }: Received): Answer => ({ status: path.startsWith('/silence/') ? status : 404, json: {} });
  expect(codesIn(await verifySmall({ ...DESCRIPTION, paths }, answer, '--only', 'contract/ids'))).toEqual(findings);
});
