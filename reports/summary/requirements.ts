import type { RequirementRecord, TestRecord } from '../../spec/index.ts';
import { groupBy } from '../group.ts';
import type { MergedFinding, RequirementSummary } from './types.ts';

const UNSAID = 'What is not shown is no promise; --learn writes down what the deployment does';

/**
 * Every requirement of the run: `broken` where a finding cites it, `kept` where a test that cites it passed and none broke it,
 * else `untried` with the reason. A finding's requirement that the run did not announce gets a row of its own.
 */
export function summariseRequirements(
  planned: readonly RequirementRecord[],
  tests: readonly TestRecord[],
  findings: readonly MergedFinding[],
  whole: boolean,
): RequirementSummary[] {
  const pairs = tests.flatMap((test) => [...new Set(test.requirements)].map((id) => ({ id, test })));
  const citing = groupBy(pairs, (pair) => pair.id);
  const announced = new Set(planned.map((requirement) => requirement.id));
  const rows = [...planned, ...unannounced(announced, findings)];
  return rows.map((requirement) =>
    judge(
      requirement,
      (citing.get(requirement.id) ?? []).map((pair) => pair.test),
      findings,
      whole,
    ),
  );
}

function unannounced(announced: ReadonlySet<string>, findings: readonly MergedFinding[]): RequirementRecord[] {
  const rows = new Map<string, RequirementRecord>();
  for (const { requirement, grade, expected } of findings) {
    if (requirement === '' || announced.has(requirement)) continue;
    rows.set(requirement, { type: 'requirement', id: requirement, section: '', grade, text: expected });
  }
  return [...rows.values()];
}

function judge(
  requirement: RequirementRecord,
  tests: readonly TestRecord[],
  findings: readonly MergedFinding[],
  whole: boolean,
): RequirementSummary {
  const { id, section, grade, text } = requirement;
  const breaches = findings.filter((finding) => finding.requirement === id).map((finding) => finding.fingerprint);
  const passed = tests.filter((test) => test.verdict === 'passed').length;
  const row = { id, section, grade, text, passed, findings: breaches };
  if (breaches.length > 0) return { ...row, verdict: 'broken' };
  if (passed > 0) return { ...row, verdict: 'kept' };
  return {
    ...row,
    verdict: 'untried',
    reason: requirement.untestable ?? (grade === 'unspecified' ? UNSAID : whyUntried(tests, whole)),
  };
}

function whyUntried(tests: readonly TestRecord[], whole: boolean): string {
  const told = tests.find((test) => test.reason !== undefined);
  if (told?.reason !== undefined)
    return told.verdict === 'error' ? `a test that tries it ended with an error: ${told.reason}` : told.reason;
  if (tests.length > 0) return 'the tests that try it stopped at another finding';
  return whole ? 'no test of this run tries it' : 'the run ended before a test tried it';
}
