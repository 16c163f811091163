import { expect, test } from 'vitest';
import { contractOf, isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { namedBody } from './named-body.ts';
import { plainBody } from './plain-request.ts';

const NAME = 'assay-1-n1';

test.each<readonly [what: string, body: Json, named: Json]>([
  ['a name', { code: 'x', name: 'old', title: 'old' }, { code: 'x', name: NAME, title: 'old' }],
  ['the path of a URI', { target: 'https://a.example/b?c=1' }, { target: `https://a.example/b/${NAME}?c=1` }],
  ['the path of another URI', { target: 'urn:isbn:1' }, { target: `https://example.org/${NAME}` }],
  ['the first label of a host name', { host: 'blue-1.example.org' }, { host: `${NAME}.example.org` }],
  ['an e-mail address too', { name: 'Ada', mail: 'a@b.co' }, { name: NAME, mail: `${NAME}@b.co` }],
  ['a slug too', { name: 'Ada', slug: 'a' }, { name: NAME, slug: NAME }],
  [
    'an attribute',
    { data: { type: 'a', attributes: { name: 'b' } } },
    { data: { type: 'a', attributes: { name: NAME } } },
  ],
])('the name of the run goes into %s', (_what, body, named) => {
  expect(namedBody(body, NAME)).toEqual(named);
});

test('a name that the description does not allow is left out', () => {
  expect(namedBody({ size: 'small', color: 'red' }, NAME, (body) => JSON.stringify(body).includes('small'))).toEqual({
    size: 'small',
    color: NAME,
  });
  expect(namedBody({ mail: 'a@b.co' }, NAME, (body) => JSON.stringify(body).includes('a@b.co'))).toEqual({
    mail: 'a@b.co',
    name: NAME,
  });
  expect(namedBody({ size: 1 }, NAME, () => false)).toEqual({ size: 1 });
});

test('a name that the description does not have is added only where it may be', () => {
  expect(namedBody({ size: 1 }, NAME, () => true, false)).toEqual({ size: 1 });
  expect(namedBody({ size: 1 }, NAME, () => true)).toEqual({ size: 1, name: NAME });
  const isText = (body: Json): boolean => !isObject(body) || typeof (body['name'] ?? '') === 'string';
  expect(namedBody({ size: 1 }, NAME, isText, false)).toEqual({ size: 1, name: NAME });
});

test('a plain body with formats stays valid', () => {
  const properties = {
    target: { type: 'string', format: 'uri', maxLength: 200 },
    owner: { type: 'string', format: 'email' },
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const content = { 'application/json': { schema } };
  const contract = contractOf(
    {
      openapi: '3.0.3',
      info: { title: 'Links', version: '1' },
      paths: {
        '/links': {
          post: { requestBody: { required: true, content }, responses: { 201: { description: 'created' } } },
        },
      },
    },
    'links.json',
  );
  const [operation] = contract.operations;
  const body = operation === undefined ? undefined : plainBody(contract, operation, NAME);
  expect(body).toEqual({
    target: expect.stringMatching(/^https?:\/\/\S+\/assay-1-n1/) as string,
    owner: expect.stringMatching(/^assay-1-n1@/) as string,
  });
});
