import { expect, it } from 'vitest';
import { inferredKnowledge } from '../../domain/index.ts';
import { contractOf } from '../../spec/index.ts';
import { lengthened, probesFor } from './token-probes.ts';
import type { ProbedApi } from './token-probes.ts';

/** An API of two operations with this HTTP scheme, and a token for it. */
function apiWith(scheme: 'basic' | 'bearer', isStated = false): ProbedApi {
  const responses = { 200: { description: 'ok' } };
  const contract = contractOf(
    {
      openapi: '3.0.3',
      info: { title: 'Small', version: '1' },
      security: [{ own: [] }],
      components: { securitySchemes: { own: { type: 'http', scheme } } },
      paths: { '/a': { get: { responses } }, '/b': { get: { responses } } },
    },
    'small.json',
  );
  const knowledge = { ...inferredKnowledge(contract), guarantees: () => isStated };
  const keys = {
    has: (name: string) => name === 'full',
    hasCredential: () => scheme === 'basic',
    get: () => ({ current: 'Abc.dEF' }),
  };
  return { contract, knowledge, keys: keys as unknown as ProbedApi['keys'] };
}

const slugsOf = (api: ProbedApi): readonly string[] =>
  api.contract.operations.flatMap((each) => probesFor(api, each).map(({ slug }) => slug));
const suffixesOf = (api: ProbedApi): readonly unknown[] =>
  api.contract.operations.map((each) => lengthened(api, each)?.change.tampering?.suffix);

it('a valid token with another scheme, none or more words may be accepted, unless the document says otherwise', () => {
  const others = ['no-scheme', 'basic-scheme', 'other-scheme'];
  expect(slugsOf(apiWith('bearer', true))).toEqual(expect.arrayContaining(others));
  expect(suffixesOf(apiWith('bearer', true))).toEqual(['.assay', ' assay']);
  expect(slugsOf(apiWith('bearer')).filter((slug) => others.includes(slug))).toEqual([]);
  expect(slugsOf(apiWith('bearer'))).toEqual(expect.arrayContaining(['invalid-token', 'shortened-token']));
  expect(suffixesOf(apiWith('bearer'))).toEqual(['.assay', '.assay']);
});

it('no wrong password of the real account is sent, which may lock it', () => {
  expect(suffixesOf(apiWith('basic', true))).toEqual([undefined, undefined]);
  expect(slugsOf(apiWith('basic'))).toEqual(['no-token', 'invalid-token', 'no-token', 'invalid-token']);
});
