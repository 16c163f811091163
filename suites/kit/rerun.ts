import { test } from 'vitest';
import { affectsOtherTests } from '../../spec/index.ts';
import type { RerunRecord, TestRecord } from '../../spec/index.ts';
import { RERUN_SHARE } from './group-time.ts';
import type { TestWithFindings, Session } from './session.ts';

/** Overlapping calls of a test that runs alone. */
const AT_ONCE = 8;

const isOfOverlap = ({ code }: TestWithFindings['findings'][number]): boolean => code.startsWith('overlap/');

/**
 * Declares a test that runs those with findings again, where overlapping calls failed or a finding affects other tests. What does not
 * recur is probably a symptom.
 */
export function declareRerun(session: Session): void {
  const mayAffectOthers = ({ suite, findings }: TestWithFindings): boolean =>
    suite === 'state/overlap' || findings.some(({ code }) => affectsOtherTests(code));
  if (!session.withFindings.some(mayAffectOthers)) return;
  test.sequential('tests with findings run again', async ({ task, signal }) => {
    // Items that tests share may have been changed by the calls of others.
    session.forgetShared();
    const endsAt = Date.now() + RERUN_SHARE * performance.now();
    const isOver = (): boolean => signal.aborted || Date.now() > endsAt || session.deadline.over();
    const { recurred, notRecurred } = await runOneByOne(session, isOver);
    const isExplained =
      notRecurred.length === 0 || session.withFindings.some(({ findings }) => findings.some(isOfOverlap));
    const tests = isExplained ? [] : await findOverlap(session, isOver);
    task.meta.rerun = { type: 'rerun', recurred, notRecurred, tests };
  });
}

/**
 * Runs tests again, one request at a time, those with the fewest requests first, until each finding has recurred or its test has ended
 * without it.
 */
async function runOneByOne(
  { target, withFindings }: Session,
  isOver: () => boolean,
): Promise<Pick<RerunRecord, 'recurred' | 'notRecurred'>> {
  target.limitConcurrency(1);
  const recurred = new Set<string>();
  const notRecurred = new Set<string>();
  for (const each of withFindings.toSorted((a, b) => a.requests - b.requests)) {
    const open = each.findings.filter(
      (finding) => !isOfOverlap(finding) && !recurred.has(finding.fingerprint) && !notRecurred.has(finding.fingerprint),
    );
    if (open.length === 0) continue;
    if (isOver()) break;
    const { verdict, completed, findings } = (await each.run()).test;
    for (const { fingerprint } of findings) recurred.add(fingerprint);
    if (verdict === 'passed' || completed === true) for (const { fingerprint } of open) notRecurred.add(fingerprint);
  }
  return { recurred: [...recurred], notRecurred: [...notRecurred].filter((each) => !recurred.has(each)) };
}

/**
 * Runs tests of overlapping calls again, beside no others, until one finds that the overlap is the reason: beside others, its calls
 * had failed one after another too.
 */
async function findOverlap({ target, withFindings }: Session, isOver: () => boolean): Promise<readonly TestRecord[]> {
  target.limitConcurrency(AT_ONCE);
  for (const { name, suite, run } of withFindings) {
    if (suite !== 'state/overlap') continue;
    if (isOver()) break;
    const { test: result } = await run();
    if (result.findings.some(isOfOverlap)) return [{ type: 'test', name, ...result }];
  }
  return [];
}
