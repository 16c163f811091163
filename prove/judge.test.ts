import { expect, it } from 'vitest';
import { checksOf, judge, namesItsOperation } from './judge.ts';
import type { FaultResult } from './judge.ts';
import type { Caught, ProveAnswer } from './job.ts';

const finding = (check: string, severity: Caught['severity'] = 'violation'): Caught => ({
  check,
  severity,
  operation: 'GET /a',
  message: 'wrong',
});
const answer = (...findings: readonly Caught[]): ProveAnswer => ({ tests: 3, findings, errors: [], durationMs: 1 });
const result = (fault: string, ...findings: readonly Caught[]): FaultResult => ({
  ...answer(...findings),
  fault,
  operations: [],
  warns: false,
});
const checks = { status: { catches: ['teapot'] }, body: { catches: ['hollow'] } };

it('is a proof where every fault is caught by the check that must, and the healthy service passes', () => {
  expect(
    judge(
      [result('teapot', finding('status')), result('hollow', finding('body'), finding('status'))],
      checks,
      answer(),
      true,
    ),
  ).toEqual([]);
});

it('counts no warning as catching', () => {
  expect(checksOf(answer(finding('status', 'warning')))).toEqual([]);
});

it('tells an uncaught fault, a check that missed its fault, a check without one, and a false alarm', () => {
  const problems = judge(
    [result('teapot'), result('hollow', finding('status'))],
    { ...checks, idle: { catches: [] }, lost: { catches: ['gone'] } },
    answer(finding('body')),
    true,
  );
  expect(problems).toEqual([
    'teapot was not caught',
    'status must catch teapot and did not',
    'body must catch hollow and did not',
    'idle has no fault that it must catch',
    'lost must catch gone, which is no fault of the catalogue',
    'the healthy service fails body on GET /a: wrong',
  ]);
});

it('asks of some faults only what concerns them', () => {
  expect(judge([result('teapot', finding('status'))], { ...checks, idle: { catches: [] } }, answer(), false)).toEqual(
    [],
  );
});

it('is no proof where nothing was run', () => {
  expect(judge([], {}, { ...answer(), tests: 0 }, true)).toEqual(['no test was run against the healthy service']);
});

it('looks whether a finding names the operation of the fault', () => {
  expect(namesItsOperation({ ...result('teapot', finding('status')), operations: ['GET /a'] })).toBe(true);
  expect(namesItsOperation({ ...result('teapot', finding('status')), operations: ['GET /b'] })).toBe(false);
});
