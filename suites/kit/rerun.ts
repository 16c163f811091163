import { test } from 'vitest';
import { changesOtherItems } from '../../spec/index.ts';
import type { RerunRecord, TestRecord } from '../../spec/index.ts';
import { groupBy } from '../../spec/group-by.ts';
import { RERUN_SHARE } from './time-budget.ts';
import { rerunIsDue } from './session.ts';
import type { EndedTest, Session } from './session.ts';

/** The largest share of the remaining time for tests that run one by one. The causes of what does not recur are looked for after them. */
const ONE_BY_ONE_SHARE = 0.75;

const isOfOverlap = ({ code }: EndedTest['findings'][number]): boolean => code.startsWith('overlap/');

/** Declares a test that runs those with findings again, where that is due. What does not recur is probably a symptom. */
export function declareRerun(session: Session): void {
  if (!rerunIsDue(session.withFindings)) return;
  test.sequential('tests with findings run again', async ({ task, signal }) => {
    // Items that tests share may have been changed by the calls of others.
    session.forgetShared();
    const isStopped = (): boolean => signal.aborted || session.deadline.over();
    const ms = Math.min(RERUN_SHARE * performance.now(), session.deadline.leftMs() * ONE_BY_ONE_SHARE);
    const endsAt = Date.now() + ms;
    const { recurred, notRecurred, tests } = await runOneByOne(session, () => isStopped() || Date.now() > endsAt);
    const ofOthers = await findOthersChanged(session, { recurred, notRecurred }, isStopped);
    const ofOverlaps = await findOverlaps(session, new Set(notRecurred), isStopped);
    task.meta.rerun = { type: 'rerun', recurred, notRecurred, tests: [...tests, ...ofOthers, ...ofOverlaps] };
  });
}

/** Findings of several operations that are alike probably have one cause. */
const kindOf = ({ code, subject = '' }: EndedTest['findings'][number]): string => `${code} ${subject}`;

/**
 * Runs tests again, one request at a time and one test of each resource at a time, those with the fewest requests first, until each
 * finding has recurred or its test has ended without it. Those are last whose findings have recurred for other operations.
 */
async function runOneByOne(
  { target, withFindings, deadline }: Session,
  isOver: () => boolean,
): Promise<Omit<RerunRecord, 'type'>> {
  target.limitConcurrency(1);
  const results: TestRecord[] = [];
  const recurred = new Set<string>();
  const notRecurred = notRecurredAfterOutage(withFindings);
  const recurredKinds = new Set<string>();
  const postponed: EndedTest[] = [];
  const runAll = async (tests: readonly EndedTest[], mayPostpone: boolean): Promise<void> => {
    for (const each of tests) {
      const open = each.findings.filter(
        (finding) =>
          !isOfOverlap(finding) && !recurred.has(finding.fingerprint) && !notRecurred.has(finding.fingerprint),
      );
      if (open.length === 0 && !each.isCut) continue;
      if (isOver()) return;
      if (mayPostpone && !each.isCut && open.every((finding) => recurredKinds.has(kindOf(finding)))) {
        postponed.push(each);
        continue;
      }
      const { test: result } = await each.run();
      const { verdict, completed, cutShort, findings } = result;
      if (each.isCut && verdict !== 'skipped') results.push({ type: 'test', name: each.name, ...result });
      for (const { fingerprint } of findings) recurred.add(fingerprint);
      for (const finding of findings) recurredKinds.add(kindOf(finding));
      const isWhole = (verdict === 'passed' || completed === true) && cutShort === undefined && !deadline.over();
      if (isWhole) for (const { fingerprint } of open) notRecurred.add(fingerprint);
    }
  };
  const runEach = async (tests: readonly EndedTest[], mayPostpone: boolean): Promise<void> => {
    const byResource = [...groupBy(tests, ({ resource }) => resource).values()];
    await Promise.all(byResource.map((each) => runAll(each, mayPostpone)));
  };
  await runEach(
    withFindings.toSorted((a, b) => a.requests - b.requests),
    true,
  );
  await runEach(postponed, false);
  return {
    recurred: [...recurred],
    notRecurred: [...notRecurred].filter((each) => !recurred.has(each)),
    tests: results,
  };
}

/** What tests have met in an outage only: those that ran again after it show that it does not recur. */
function notRecurredAfterOutage(tests: readonly EndedTest[]): Set<string> {
  const found = new Set(tests.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)));
  return new Set(tests.flatMap(({ ofOutage }) => ofOutage.filter((each) => !found.has(each))));
}

/**
 * Where findings of a resource did not recur and no call was seen alone to change other items: runs the tests of such calls again.
 * Beside others they passed, or failed otherwise, where a call changed an item of another test in place of theirs. Those that passed
 * run first: what the others found has probably ended them before.
 */
async function findOthersChanged(
  { target, withFindings, keepingOthers }: Session,
  { recurred, notRecurred }: Pick<RerunRecord, 'recurred' | 'notRecurred'>,
  isStopped: () => boolean,
): Promise<readonly TestRecord[]> {
  target.limitConcurrency(1);
  const results: TestRecord[] = [];
  const isOfOthers = ({ code }: EndedTest['findings'][number]): boolean => changesOtherItems(code);
  const passedFirst = keepingOthers.toSorted(
    (a, b) => a.findings.length - b.findings.length || a.requests - b.requests,
  );
  for (const [resource, tests] of groupBy(withFindings, (each) => each.resource)) {
    const findings = tests.flatMap((each) => each.findings);
    const isOpen =
      findings.some(({ fingerprint }) => notRecurred.includes(fingerprint)) &&
      !findings.some((finding) => isOfOthers(finding) && recurred.includes(finding.fingerprint));
    const calls = isOpen ? passedFirst.filter((each) => each.resource === resource) : [];
    results.push(...(await runUntilFound(calls, isOfOthers, isStopped)));
  }
  return results;
}

/** Runs tests until one has a finding of a kind; returns its record, or nothing. */
async function runUntilFound(
  tests: readonly EndedTest[],
  isOfKind: (finding: EndedTest['findings'][number]) => boolean,
  isStopped: () => boolean,
): Promise<readonly TestRecord[]> {
  for (const { name, run } of tests) {
    if (isStopped()) return [];
    const { test: result } = await run();
    if (result.findings.some(isOfKind)) return [{ type: 'test', name, ...result }];
  }
  return [];
}

/**
 * Where findings of a resource did not recur and no finding about overlapping calls explains them: runs the tests of these calls again,
 * beside no others, until one finds that the overlap is the reason. Beside others, the calls had failed one after another too.
 */
async function findOverlaps(
  { target, withFindings }: Session,
  notRecurred: ReadonlySet<string>,
  isStopped: () => boolean,
): Promise<readonly TestRecord[]> {
  target.limitConcurrency(Number.POSITIVE_INFINITY);
  const results: TestRecord[] = [];
  for (const tests of groupBy(withFindings, ({ resource }) => resource).values()) {
    const findings = tests.flatMap((each) => each.findings);
    const isOpen = findings.some(({ fingerprint }) => notRecurred.has(fingerprint)) && !findings.some(isOfOverlap);
    const calls = isOpen ? tests.filter(({ suite }) => suite === 'state/overlap') : [];
    results.push(...(await runUntilFound(calls, isOfOverlap, isStopped)));
  }
  return results;
}
