import { test } from 'vitest';
import { affectsOtherTests } from '../../spec/index.ts';
import type { RerunRecord } from '../../spec/index.ts';
import type { FailedTest, Session } from './session.ts';

/** Largest share of the time of the run so far that it may take to run failed tests again. */
const SHARE = 0.3;

/**
 * Declares a test that runs failed tests again, one request at a time, where overlapping calls failed or a finding of the run
 * affects other tests. What does not recur is probably a symptom.
 */
export function declareRerun(session: Session): void {
  const mayAffectOthers = ({ suite, findings }: FailedTest): boolean =>
    suite === 'state/overlap' || findings.some(({ code }) => affectsOtherTests(code));
  if (!session.failed.some(mayAffectOthers)) return;
  test.sequential('failed tests again, one request at a time', async ({ task }) => {
    task.meta.rerun = await rerun(session, session.failed);
  });
}

/** Runs the tests with the fewest requests first, until each finding has recurred or its test has ended without it. */
async function rerun(session: Session, failed: readonly FailedTest[]): Promise<RerunRecord> {
  session.target.limitConcurrency(1);
  // Items that tests share may have been changed by the calls of others.
  session.forgetShared();
  const endsAt = Date.now() + SHARE * performance.now();
  const recurred = new Set<string>();
  const notRecurred = new Set<string>();
  for (const each of failed.toSorted((a, b) => a.requests - b.requests)) {
    const open = each.findings.filter(
      ({ fingerprint, code }) =>
        !code.startsWith('overlap/') && !recurred.has(fingerprint) && !notRecurred.has(fingerprint),
    );
    if (open.length === 0) continue;
    if (Date.now() > endsAt || session.deadline.over()) break;
    const { verdict, completed, findings } = (await each.run()).test;
    for (const { fingerprint } of findings) recurred.add(fingerprint);
    if (verdict === 'passed' || completed === true) for (const { fingerprint } of open) notRecurred.add(fingerprint);
  }
  return {
    type: 'rerun',
    recurred: [...recurred],
    notRecurred: [...notRecurred].filter((each) => !recurred.has(each)),
  };
}
