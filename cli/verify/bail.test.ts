import { expect, it } from 'vitest';
import { sampleFinding } from '../../reports/testing/sample-run.ts';
import type { Finding, RunRecord, TestRecord } from '../../spec/index.ts';
import { bailAfter } from './bail.ts';

function test(finding: Finding): TestRecord {
  return {
    type: 'test',
    name: finding.fingerprint,
    suite: 'contract/paging',
    checks: [],
    requirements: [],
    verdict: 'failed',
    startedAt: '2026-11-21T08:00:00.000Z',
    durationMs: 1,
    statuses: [],
    cases: 1,
    findings: [finding],
  };
}

const finding = (index: number): Finding => sampleFinding('GET /aijob', '/api', `check-${index}`, 0, '', 1);

it('ends the run at the given number of different findings that fail it', () => {
  const records: RunRecord[] = [];
  const known = finding(9);
  const entries = [{ fingerprint: known.fingerprint, reason: 'known', check: '', operation: '', message: '' }];
  const bail = bailAfter(2, records, { baseline: { entries }, strict: false });
  const seen = [known, { ...finding(8), severity: 'warning' as const }, finding(1), finding(1), finding(2)].map(
    (each) => {
      records.push(test(each));
      bail.look(test(each));
      return bail.signal.aborted;
    },
  );
  expect(seen).toEqual([false, false, false, false, true]);
  expect(bail.ending()).toEqual({ bailed: 2 });
});
