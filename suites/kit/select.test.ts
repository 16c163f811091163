import { expect, test } from 'vitest';
import { matches, selected } from './select.ts';

const paging = {
  suite: 'contract/paging',
  name: 'contract/paging > GET /aijob/{id}/runs > /api > defaults',
  operation: 'GET /aijob/{id}/runs',
  checks: ['paging-defaults'],
};

test.each([
  ['contract', true],
  ['contract/paging', true],
  ['CONTRACT/PAGING', true],
  ['contract/pag', true],
  ['state', false],
  ['paging-defaults', true],
  ['paging-*', true],
  ['GET /aijob/{id}/runs', true],
  ['GET /aijob', false],
  ['GET /aijob*', true],
  ['* /aijob/*', true],
  ['defaults', true],
  [paging.name, true],
  ['POST /aijob/{id}/runs', false],
])('%s', (pattern, expected) => {
  expect(matches(pattern, paging)).toBe(expected);
});

test('what is skipped is not run, even where it is wanted', () => {
  expect(selected(paging, [], [])).toBe(true);
  expect(selected(paging, ['contract'], ['paging-defaults'])).toBe(false);
  expect(selected(paging, ['state'], [])).toBe(false);
});
