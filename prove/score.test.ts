import { expect, it } from 'vitest';
import type { Defect } from './defect.ts';
import { noAnswer } from './job.ts';
import type { ProveFinding } from './job.ts';
import { batchesOf, stagesFor } from './plan.ts';
import { checksOf, proveDefects } from './prove-defects.ts';
import type { DefectResult } from './prove-defects.ts';
import { judge, scoreOf } from './score.ts';

const defect = (name: string, operations: readonly string[] = ['GET /a'], more: Partial<Defect> = {}): Defect => ({
  name,
  title: name,
  breaks: '',
  origin: name.split(' ')[0] ?? name,
  operations,
  checks: ['filters'],
  warns: false,
  make: () => (_, next) => next(),
  ...more,
});
const result = (name: string, checks: readonly string[], isMet = true): DefectResult => ({
  defect: defect(name),
  checks,
  isCaught: checks.length > 0,
  isMet,
  errors: [],
  durationMs: 1,
});
const healthy = [{ name: 'the service', answer: { ...noAnswer(), tests: 3 } }];

it('counts caught defects by operator and by check, and not those that no request met', () => {
  const score = scoreOf(
    [result('a 1', ['filters']), result('a 2', []), result('b 1', ['filters', 'ordering']), result('b 2', [], false)],
    ['filters', 'ordering'],
  );
  expect(score).toMatchObject({ caught: 2, of: 3 });
  expect(score.byOperator).toEqual([
    { origin: 'a', caught: 1, of: 2 },
    { origin: 'b', caught: 1, of: 1 },
  ]);
  expect(score.byCheck).toEqual([
    { check: 'filters', caught: 2, alone: 1 },
    { check: 'ordering', caught: 1, alone: 0 },
  ]);
  expect(score.survivors.map((each) => each.defect.name)).toEqual(['a 2']);
  expect(score.unmet.map((each) => each.defect.name)).toEqual(['b 2']);
});

const FINDING: ProveFinding = {
  check: 'filters',
  operation: 'GET /a',
  severity: 'violation',
  grade: 'documented',
  message: 'wrong',
  test: 'a test',
  afterExchanges: 1,
};

it('finds a low score, a check that misses its defect, and a false alarm', () => {
  const problems = judge({
    results: [result('a 1', ['filters']), result('a 2', [])],
    healthy: [{ name: 'slow', answer: { ...noAnswer(), tests: 1, findings: [FINDING] } }],
    proofs: {
      filters: { catches: 'a 1', by: 'a' },
      ordering: { catches: 'a 1', by: 'a' },
      'snapshot-behaviour': { provedBy: 'a test' },
    },
    leastShare: 0.97,
  });
  expect(problems).toEqual([
    '1 of 2 defects were caught (50.0%); at least 97.0% is required',
    'ordering did not catch a 1, which it must catch',
    'slow is healthy, but filters reports GET /a: wrong',
  ]);
  expect(judge({ results: [result('a 1', ['filters'])], healthy, proofs: {}, leastShare: 0.97 })).toEqual([]);
  expect(judge({ results: [], healthy, proofs: {}, leastShare: 0.97 })).toEqual([]);
});

it('puts defects that show in different operations into one run', () => {
  const batches = batchesOf([
    defect('a 1', ['GET /a']),
    defect('a 2', ['GET /b']),
    defect('a 3', ['GET /a']),
    defect('f', [], { checks: [] }),
  ]);
  expect(batches.map((batch) => batch.map(({ name }) => name))).toEqual([['a 1', 'a 2'], ['a 3'], ['f']]);
});

it('begins with the tests of the expected checks on the operation', () => {
  expect(stagesFor(defect('a 1'))[0]).toMatchObject({ only: ['filters & GET /a'] });
  expect(stagesFor(defect('a 1', ['GET /a'], { checks: ['no-server-error'] }))[0]).toMatchObject({
    only: ['contract/* & GET /a'],
  });
});

it('gives no credit in company for what another defect may have caused', async () => {
  const jobs: (readonly string[])[] = [];
  const caught = { ...FINDING, check: 'ordering', operation: 'GET /b' };
  const results = await proveDefects([defect('a 1', ['GET /a']), defect('a 2', ['GET /b'])], {
    seed: 1,
    signal: new AbortController().signal,
    onResult: () => undefined,
    run: (job) => {
      jobs.push(job.defects);
      return Promise.resolve({
        ...noAnswer(),
        tests: 1,
        findings: job.defects.includes('a 2') ? [caught] : [],
        hits: { 'a 1': 1, 'a 2': 1 },
      });
    },
  });
  expect(jobs[0]).toEqual(['a 1', 'a 2']);
  expect(jobs).toContainEqual(['a 2']);
  expect(results.map(({ isCaught }) => isCaught)).toEqual([false, true]);
});

it('counts a warning of an inferred requirement by an expected check only', () => {
  const warning = { ...FINDING, severity: 'warning' } as const;
  const findings = [
    { ...warning, check: 'filters', grade: 'inferred' },
    { ...warning, check: 'ordering', grade: 'inferred' },
    { ...warning, check: 'filters', grade: 'published' },
  ] as const;
  expect(checksOf({ ...noAnswer(), findings: findings.slice(0, 2) }, defect('a'))).toEqual(['filters']);
  expect(checksOf({ ...noAnswer(), findings: findings.slice(1) }, defect('a'))).toEqual([]);
});
