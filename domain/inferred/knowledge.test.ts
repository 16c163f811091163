import { expect, test } from 'vitest';
import { contractOf } from '../../spec/index.ts';
import { inferredKnowledge } from './knowledge.ts';

test.each(['/logout', '/user/sign-out/'])('GET %s ends the session of the token, too', (path) => {
  const paths = { [path]: { get: { responses: { 200: { description: 'ok' } } } } };
  const contract = contractOf({ openapi: '3.0.3', info: { title: 'Small', version: '1' }, paths }, 'small.json');
  expect(contract.operations.map((each) => inferredKnowledge(contract).endsSession?.(each))).toEqual([true]);
});
