import { expect, it } from 'vitest';
import { passedTest, sampleFinding } from '../../reports/testing/sample-run.ts';
import type { Finding, RunRecord, TestRecord } from '../../spec/index.ts';
import { bailAfter } from './bail.ts';

const test = (finding: Finding): TestRecord =>
  passedTest({ name: finding.fingerprint, verdict: 'failed', findings: [finding] });

const finding = (index: number): Finding => sampleFinding('GET /aijob', '/api', `check-${index}`);

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
