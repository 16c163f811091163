import { expect, test } from 'vitest';
import type { RunRecord, TestRecord } from '../../spec/index.ts';
import { changed, passedTest, sampleRun, sampleStart } from '../testing/sample-run.ts';
import { viewOf } from '../view.ts';
import { totals } from './statistics.ts';
import { summarise } from './summarise.ts';
import { exitCodeOf } from './verdict.ts';

const OPERATION = 'GET /things';
const ended = (statuses: TestRecord['statuses']): TestRecord =>
  passedTest({ operation: OPERATION, requirements: ['things.list'], statuses });

/** A passed test with that many answers with a status, of which `valid` are to valid requests. */
const answered = (status: string, count: number, valid: number): TestRecord =>
  ended([{ operation: OPERATION, form: '/api', status, count, valid }]);

function run(...records: readonly RunRecord[]): RunRecord[] {
  return [
    sampleStart(),
    { type: 'operation', id: OPERATION, forms: ['/api'], section: '', effect: 'read' },
    { type: 'requirement', id: 'things.list', section: '4', grade: 'documented', text: 'Lists things.' },
    ...records,
    { type: 'run-end', durationMs: 5, interrupted: false },
  ];
}

test('an operation is reached by a valid request that was answered successfully', () => {
  const reached = summarise(run(answered('200', 9, 1), answered('401', 9, 9)));
  expect(reached.reach).toEqual({ reached: 1, of: 1 });
  expect(reached.operations[0]?.forms['/api']).toMatchObject({ verdict: 'passed', reached: true });
  const invalidOnly = summarise(run(answered('200', 9, 0)));
  expect(invalidOnly.reach).toEqual({ reached: 0, of: 1 });
  expect(invalidOnly.operations[0]?.forms['/api']).toMatchObject({
    verdict: 'untested',
    reason: 'no valid request was sent',
  });
});

test('in the log of an older version every success reaches its operation', () => {
  const old = ended([{ operation: OPERATION, form: '/api', status: '200', count: 1 }]);
  expect(summarise(run(old)).reach.reached).toBe(1);
});

test('a test has not passed whose operation refused every valid request', () => {
  const records = run(answered('401', 2, 2), answered('401', 7, 0));
  const summary = summarise(records);
  expect(summary.totals).toMatchObject({ passed: 0, skipped: 2 });
  expect(summary.requirements[0]).toMatchObject({ verdict: 'untested', verifiedIn: 0, of: 1 });
  expect([summary.verdict, exitCodeOf(summary)]).toEqual(['inconclusive', 6]);
  expect(viewOf(records).tests.map(({ verdict }) => verdict)).toEqual(['skipped', 'skipped']);
  expect(summary.skips[0]?.reason).toMatch(/every valid request was refused \(401\)/);
});

test('where a service requires a precondition, the reason says what the description lacks', () => {
  expect(summarise(run(answered('428', 2, 2))).skips[0]?.reason).toMatch(/\(428\); 428: .* If-Match/);
});

test('a run is inconclusive below --min-reach', () => {
  const other = { type: 'operation', id: 'GET /other', forms: ['/api'], section: '', effect: 'read' } as const;
  const outcome = (minReach: number): unknown => {
    const records = run(other, answered('200', 1, 1));
    const { verdict, reason } = summarise(changed(records, 'run-start', () => ({ options: { minReach } })));
    return [verdict, reason];
  };
  expect(outcome(50)).toEqual(['passed', undefined]);
  expect(outcome(51)).toEqual([
    'inconclusive',
    '1 of 2 operations (50%) answered a valid request successfully, and --min-reach asks for 51%',
  ]);
});

test('an operation that a selection of tests used for set-up only has not passed', () => {
  const statuses = [{ operation: OPERATION, form: '/api', status: '200', count: 1, valid: 1 }];
  const ofOther: TestRecord = { ...ended(statuses), operation: 'POST /things' };
  const only = ['POST /things'];
  const selected = changed(run(ofOther), 'run-start', ({ options }) => ({ options: { ...options, only } }));
  expect(summarise(selected).operations[0]?.forms['/api']).toMatchObject({ verdict: 'untested', isSetUp: true });
  expect(summarise(run(ofOther)).operations[0]?.forms['/api']?.verdict).toBe('passed');
});

test('counts only skipped tests as not run for lack of time', () => {
  const tests = sampleRun({ findings: 1 }).flatMap((record) =>
    record.type === 'test' ? { ...record, outOfTime: true as const } : [],
  );
  expect(totals(tests, []).outOfTime).toBe(tests.filter(({ verdict }) => verdict === 'skipped').length);
});
