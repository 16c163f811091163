import { describe, expect, it } from 'vitest';
import type { Finding, RunRecord } from '../../spec/index.ts';
import { changed, passedTest as test, sampleFinding, sampleStart } from '../testing/sample-run.ts';
import type { BaselineEntry } from '../baseline.ts';
import { groupsOf } from './groups.ts';
import { headline } from '../text/headline.ts';
import { summarise } from './summarise.ts';
import { exitCodeOf } from './verdict.ts';

const OPERATION = 'GET /aijob';
const END: RunRecord = { type: 'run-end', durationMs: 5, interrupted: false };

function finding(change: Partial<Finding> = {}): Finding {
  return { ...sampleFinding(), ...change };
}

function run(...records: RunRecord[]): RunRecord[] {
  return [
    sampleStart(),
    { type: 'operation', id: OPERATION, forms: ['/api', '/api/v1'], section: '4 AI jobs', effect: 'read' },
    { type: 'requirement', id: 'paging.holds', section: '8', grade: 'documented', text: 'Pages are whole.' },
    {
      type: 'requirement',
      id: 'https',
      section: '5',
      grade: 'documented',
      text: 'HTTPS.',
      untestable: 'the base URL decides',
    },
    ...records,
    END,
  ];
}

function runWith(options: Record<string, unknown>, ...records: RunRecord[]): RunRecord[] {
  return changed(run(...records), 'run-start', () => ({ options }));
}

/** An entry of a baseline. */
function entryOf({ fingerprint, check, operation, message }: Finding): BaselineEntry {
  return { fingerprint, reason: 'ticket 7', check, operation, message };
}

describe('tests that ran again', () => {
  const symptom = finding({ fingerprint: 'a', code: 'updated-reads-back/member', check: 'updated-reads-back' });
  const overlap = finding({ fingerprint: 'b', code: 'overlap/lost-update', check: 'overlap' });
  const race = (found: Finding) => test({ name: 'race', suite: 'state/overlap', verdict: 'failed', findings: [found] });

  it('replace their first results, and say which findings did not recur', () => {
    const other = test({ name: 'alone', verdict: 'failed', findings: [symptom] });
    const rerun: RunRecord = { type: 'rerun', recurred: [], notRecurred: ['a'], tests: [race(overlap)] };
    const { findings, groups, totals } = summarise(run(race(symptom), other, rerun));
    expect(totals.failed).toBe(2);
    expect(findings.map(({ fingerprint, recurred, tests }) => [fingerprint, recurred, tests])).toEqual([
      ['a', false, ['race', 'alone']],
      ['b', undefined, ['race']],
    ]);
    expect(groups).toEqual([{ lead: 'b', same: [], related: ['a'] }]);
  });

  it('recurred where they did in one of the shards', () => {
    const rerun = { type: 'rerun', recurred: [], notRecurred: ['a'], tests: [] } as const;
    const again = { ...rerun, recurred: ['a'], notRecurred: [] };
    const failed = test({ verdict: 'failed', findings: [symptom] });
    expect(summarise(run(failed, rerun, again)).findings.map(({ recurred }) => recurred)).toEqual([true]);
    expect(summarise(run(failed)).findings[0]).not.toHaveProperty('recurred');
  });
});

describe('summarise', () => {
  it('has the documented keys', () => {
    const summary = summarise(run(test()));
    const keys = 'tool version command target spec seed startedAt durationMs verdict totals operations requirements';
    expect(Object.keys(summary)).toEqual(expect.arrayContaining(`${keys} findings skips`.split(' ')));
    expect(summary.totals).toEqual({ passed: 1, failed: 0, skipped: 0, errors: 0, exchanges: 3, cases: 1 });
    expect(summary.operations[0]?.forms).toEqual({
      '/api': { verdict: 'passed', reached: true, statuses: { 200: 3 }, findings: 0 },
      '/api/v1': {
        verdict: 'untested',
        reached: false,
        statuses: {},
        findings: 0,
        reason: 'no request of this run reached it',
      },
    });
    expect(summary.requirements).toMatchObject([
      { verdict: 'verified', verifiedIn: 1, of: 1 },
      { verdict: 'untested', reason: 'the base URL decides', verifiedIn: 0, of: 0 },
    ]);
    expect(exitCodeOf(summary)).toBe(0);
  });

  it('merges one defect of both forms into one finding', () => {
    const failed = { verdict: 'failed' } as const;
    const summary = summarise(
      run(
        test({ ...failed, form: '/api/v1', findings: [finding({ form: '/api/v1' }), finding({ form: '/api/v1' })] }),
        test({ ...failed, suite: 'contract/operations', findings: [finding({ received: 'plainly' })] }),
      ),
    );
    expect(summary.findings).toMatchObject([
      { form: '/api, /api/v1', occurrences: 3, received: 'plainly', known: false },
    ]);
    expect(Object.values(summary.operations[0]?.forms ?? {}).map((form) => form.verdict)).toEqual(['failed', 'failed']);
    expect(summary.requirements[0]).toMatchObject({ verdict: 'violated', findings: [finding().fingerprint] });
    expect([summary.verdict, exitCodeOf(summary)]).toEqual(['failed', 1]);
  });

  it('lets warnings pass but under strict', () => {
    const records = run(test({ verdict: 'failed', findings: [finding({ severity: 'warning', grade: 'published' })] }));
    expect([summarise(records).verdict, exitCodeOf(summarise(records))]).toEqual(['passed', 0]);
    const strict = summarise(records, { strict: true });
    expect([strict.verdict, exitCodeOf(strict)]).toEqual(['failed', 1]);
    expect(strict.requirements[0]?.verdict).toBe('violated');
    const warned = run(test({ findings: [finding({ severity: 'warning', grade: 'inferred' })] }));
    expect(summarise(warned).requirements[0]).toMatchObject({ verdict: 'verified', findings: [finding().fingerprint] });
  });

  it('distinguishes known, new, fixed and expired findings', () => {
    const entry = entryOf(finding());
    const gone = { ...entry, fingerprint: '0123456789abcdef' };
    const records = run(test({ verdict: 'failed', completed: true, findings: [finding()] }), test());
    const known = summarise(records, { baseline: { entries: [entry, gone] } });
    expect(known.findings).toMatchObject([{ known: true, standing: 'known', baselineReason: 'ticket 7' }]);
    expect(known.fixed).toMatchObject([{ fingerprint: gone.fingerprint }]);
    expect([known.verdict, exitCodeOf(known)]).toEqual(['passed', 0]);
    expect(headline(known).details[0]).toMatch(/ 0 failed, \d+ with known findings only,/);
    const expired = summarise(records, { baseline: { entries: [{ ...entry, expires: '2026-11-20' }] } });
    expect(expired.findings).toMatchObject([{ known: false, standing: 'expired' }]);
    expect(exitCodeOf(expired)).toBe(1);
    expect(exitCodeOf(summarise(records, { baseline: { entries: [{ ...entry, expires: '2026-11-21' }] } }))).toBe(0);
  });

  it('does not report a baseline entry as fixed that was not tested', () => {
    const gone = entryOf(finding({ fingerprint: '0123456789abcdef', check: 'auth' }));
    expect(summarise(run(test()), { baseline: { entries: [gone] } }).fixed).toEqual([]);
  });

  it('gives reasons for what was not tested', () => {
    const skipped = summarise(run(test({ verdict: 'skipped', reason: 'not allowed', statuses: [] })));
    expect(skipped.requirements[0]).toMatchObject({ verdict: 'untested', reason: 'not allowed' });
    expect(skipped.operations[0]?.forms['/api']).toMatchObject({ verdict: 'untested', reason: 'not allowed' });
    expect(skipped.skips).toMatchObject([{ reason: 'not allowed' }]);
  });

  it('names the status that no response had, whatever other tests were skipped for', () => {
    const conflict = { id: 'conflict', section: '7', grade: 'documented', text: '409: conflict', status: 409 } as const;
    const requirements = [conflict.id];
    const summary = summarise(
      run(
        { type: 'requirement', ...conflict },
        test({ verdict: 'skipped', reason: 'not allowed', requirements }),
        test({ requirements }),
      ),
    );
    expect(summary.requirements).toContainEqual(
      expect.objectContaining({ id: conflict.id, reason: 'no response of its tests had the status 409' }),
    );
  });

  it('is an error where a test could not be judged, or the target was lost', () => {
    const failed = test({ verdict: 'failed', findings: [finding()] });
    expect(exitCodeOf(summarise(run(test({ verdict: 'error', reason: 'boom' }))))).toBe(5);
    expect(exitCodeOf(summarise(run(test({ verdict: 'error', reason: 'boom' }), failed)))).toBe(1);
    const lost = summarise(run(failed, { type: 'error', message: 'The target is gone.', exitCode: 3 }));
    expect([lost.verdict, exitCodeOf(lost)]).toEqual(['error', 3]);
  });

  it('is interrupted where the log has no end', () => {
    const summary = summarise(run(test()).slice(0, -1));
    expect([summary.verdict, exitCodeOf(summary)]).toEqual(['interrupted', 130]);
  });

  it('is inconclusive where no test ran or no operation answered successfully', () => {
    const skipped = summarise(run(test({ verdict: 'skipped', reason: 'not allowed', statuses: [] })));
    expect([skipped.verdict, exitCodeOf(skipped)]).toEqual(['inconclusive', 6]);
    const tried = test({ verdict: 'skipped', reason: 'the list is short' });
    expect(summarise(run(tried)).reason).toBe('every test was skipped: the list is short');
    const refused = test({ statuses: [{ operation: OPERATION, form: '/api', status: '401', count: 9 }] });
    expect(summarise(run(refused))).toMatchObject({
      verdict: 'inconclusive',
      reason: 'no operation answered a valid request successfully',
    });
    expect(summarise(run(refused, test())).verdict).toBe('passed');
    const counts = {
      exchanges: 9,
      attempts: 9,
      failures: 0,
      responseBytes: 0,
      repeats: {},
      waitedMs: {},
      operations: [],
    };
    const throttled = (refusedShare: number) => summarise(run(test(), { type: 'statistics', ...counts, refusedShare }));
    expect([throttled(0.4).verdict, throttled(0.6).verdict]).toEqual(['passed', 'inconclusive']);
  });

  it('may be empty, or hold invalid requests only, where that was selected', () => {
    expect(exitCodeOf(summarise(runWith({ shard: '3/3' })))).toBe(0);
    const refused = test({ statuses: [{ operation: OPERATION, form: '/api', status: '400', count: 9 }] });
    expect(exitCodeOf(summarise(runWith({ only: ['refusals'] }, refused)))).toBe(0);
  });

  it('counts on how many of the tested operations a requirement was verified', () => {
    const records = run(
      test(),
      test({ operation: 'GET /aiagent', verdict: 'skipped', reason: 'not allowed' }),
      test({ operation: 'GET /clue', verdict: 'failed', findings: [finding({ requirement: 'other' })] }),
    );
    expect(summarise(records).requirements[0]).toMatchObject({ verdict: 'verified', verifiedIn: 1, of: 3 });
  });

  it('groups findings by root cause', () => {
    const one = finding({ fingerprint: 'a' });
    const two = finding({ fingerprint: 'b', operation: 'GET /aiagent' });
    const warning = finding({ fingerprint: 'c', operation: 'GET /aiagent', severity: 'warning' });
    const summary = summarise(run(test({ verdict: 'failed', findings: [one, two, warning] })));
    expect(summary.groups).toEqual([
      { lead: 'a', same: ['b'], related: [] },
      { lead: 'c', same: [], related: [] },
    ]);
    expect(groupsOf(summary).map(({ lead }) => lead.operation)).toEqual([OPERATION, 'GET /aiagent']);
  });

  it('shows a symptom under its cause, but never a new finding under a known one', () => {
    const cause = finding({ fingerprint: '00000000000000aa', code: 'status-documented/status', subject: '202' });
    const symptom = finding({ fingerprint: '00000000000000bb', cause: cause.fingerprint, subject: 'other' });
    const records = run(test({ verdict: 'failed', findings: [cause, symptom] }));
    expect(summarise(records).groups).toEqual([{ lead: cause.fingerprint, same: [], related: [symptom.fingerprint] }]);
    const known = summarise(records, { baseline: { entries: [entryOf(cause)] } });
    expect(known.groups.map(({ lead }) => lead)).toEqual([symptom.fingerprint, cause.fingerprint]);
    expect(known.verdict).toBe('failed');
  });

  it('names the requirements whose tests stopped at a known finding', () => {
    const stop = finding({ requirement: 'other' });
    const baseline = { entries: [entryOf(stop)] };
    const stopped = summarise(run(test({ verdict: 'failed', findings: [stop] })), { baseline });
    expect(stopped).toMatchObject({
      verdict: 'passed',
      requirements: [{ verdict: 'untested', stoppedBy: [stop.fingerprint] }, {}, {}],
    });
    expect(headline(stopped).details.join()).toContain('stopped at known findings: paging.holds.');
    const completed = run(test({ verdict: 'failed', completed: true, findings: [stop] }));
    expect(summarise(completed, { baseline }).requirements[0]).toMatchObject({ verdict: 'verified' });
  });

  it('tells what refused every valid request from what got none', () => {
    const other = (id: string): RunRecord => ({ type: 'operation', id, forms: ['/api'], section: '4', effect: 'read' });
    const refused = test({ statuses: [{ operation: 'GET /b', form: '/api', status: '401', count: 2, valid: 2 }] });
    const summary = summarise(run(test(), refused, other('GET /b'), other('GET /c')));
    expect(headline(summary).details).toContain(
      '1 of 3 operations reached; 1 without a valid request that succeeded; 1 received no request.',
    );
    expect(headline(summary).details.join()).toContain('The verdict says nothing about the others');
    const writing = { ...summary, options: { allow: ['global'] } };
    expect(headline(writing).details.join()).toContain('1 received no request (--allow lacks read).');
    const selected = { ...summary, options: { only: ['contract/paging'] } };
    expect(headline(selected).details.join()).not.toContain('The verdict says nothing');
    expect(headline(selected).details.join()).toContain('without a valid request that succeeded; 1 not selected.');
  });

  it('survives an empty log', () => {
    expect(summarise([])).toMatchObject({ verdict: 'interrupted', totals: { passed: 0 } });
  });
});
