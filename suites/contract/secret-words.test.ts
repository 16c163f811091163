import { expect, test } from 'vitest';
import { BEARER } from '../../spec/index.ts';
import { secretOf } from './secret-words.ts';

test('a bearer token is called a token, a key or a password credentials', () => {
  expect(secretOf({})).toBe('a token');
  expect(secretOf({ security: [[BEARER]] }, 'invalid')).toBe('an invalid token');
  expect(secretOf({ security: [[{ ...BEARER, kind: 'basic' }]] })).toBe('credentials');
  expect(secretOf({ security: [[{ ...BEARER, kind: 'apiKey' }]] }, 'valid')).toBe('valid credentials');
});
