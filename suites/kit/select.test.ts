import { expect, test } from 'vitest';
import { matches, mayBeSelected, selected } from './select.ts';

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

test.each([
  ['contract/paging', true],
  ['contract/p*', true],
  ['contract/*', true],
  [paging.name, true],
  ['contract/paging > GET /aijob*', true],
  ['contract/ids', false],
  ['state/*', false],
  ['contract/ids & GET /aijob/{id}/runs', false],
  ['contract/paging & GET /aijob/{id}/runs', true],
  ['GET /aijob/{id}/runs', true],
  ['page-*', true],
  ['state', true],
])('whether %s can select a test of a suite', (pattern, expected) => {
  expect(mayBeSelected('contract/paging', [pattern], [])).toBe(expected);
});

test.each([
  [[], true],
  [['GET /aijob'], true],
  [['GET /aijob/{id}'], false],
  [['GET /aijob/{id}', 'paging-*'], true],
  [['contract/paging & GET /aijob'], true],
  [['contract/ids & GET /aijob'], false],
])('whether %j can select a test of a suite and operation', (only, expected) => {
  expect(mayBeSelected('contract/paging', only, [], 'GET /aijob')).toBe(expected);
});

test('an operation that is skipped need not be prepared', () => {
  expect(mayBeSelected('contract/paging', [], ['GET /aijob'], 'GET /aijob')).toBe(false);
  expect(mayBeSelected('contract/paging', [], ['GET /aijob'], 'GET /aiagent')).toBe(true);
});

test('a suite that is skipped as a whole need not be loaded', () => {
  expect(mayBeSelected('contract/paging', [], ['contract'])).toBe(false);
  expect(mayBeSelected('contract/paging', [], ['contract & GET /aijob/{id}/runs'])).toBe(true);
});
