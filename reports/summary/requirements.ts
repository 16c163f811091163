import type { RequirementRecord, TestRecord } from '../../spec/index.ts';
import { CHECKS } from '../../spec/index.ts';
import { groupBy } from '../../spec/group-by.ts';
import { hasTriedAll } from './findings.ts';
import type { MergedFinding, RequirementSummary } from './types.ts';

const UNSPECIFIED = 'it is not documented; --update-snapshot records the actual behavior';

/**
 * Every requirement of the run: `violated` where a finding of its grade cites it, `verified` where a test of it passed,
 * else `untested` with the reason. A requirement that a finding cites and the run did not announce gets a row of its
 * own.
 */
export function summariseRequirements(
  planned: readonly RequirementRecord[],
  tests: readonly TestRecord[],
  findings: readonly MergedFinding[],
  complete: boolean,
): RequirementSummary[] {
  const pairs = tests.flatMap((test) => [...new Set(test.requirements)].map((id) => ({ id, test })));
  const citing = groupBy(pairs, (pair) => pair.id);
  const announced = new Set(planned.map((requirement) => requirement.id));
  return [...planned, ...unannounced(announced, findings)].map((requirement) => {
    const own = (citing.get(requirement.id) ?? []).map((pair) => pair.test);
    const violations = findings.filter((finding) => finding.requirement === requirement.id);
    return judge(requirement, own, violations, complete);
  });
}

function unannounced(announced: ReadonlySet<string>, findings: readonly MergedFinding[]): RequirementRecord[] {
  const rows = new Map<string, RequirementRecord>();
  for (const { requirement, grade, check, expected } of findings) {
    if (requirement === '' || announced.has(requirement)) continue;
    rows.set(requirement, {
      type: 'requirement',
      id: requirement,
      section: '',
      grade,
      text: ruleOf(check) ?? expected,
    });
  }
  return [...rows.values()];
}

/** The rule of a check; undefined for one of another version. */
function ruleOf(check: string): string | undefined {
  return (CHECKS as Readonly<Record<string, { readonly rule: string }>>)[check]?.rule;
}

function judge(
  { id, section, grade, text, status, untestable }: RequirementRecord,
  tests: readonly TestRecord[],
  findings: readonly MergedFinding[],
  complete: boolean,
): RequirementSummary {
  const passed = tests.filter((test) => hasTriedAll(test) && hasSeen(test, status));
  // A finding of a lower grade is only a warning, and does not violate the requirement.
  const violations = findings.filter((finding) => finding.fails || finding.grade === grade);
  const violatedOn = new Set(violations.flatMap((finding) => finding.operations));
  const verifiedOn = [...operationsOf(passed)].filter((operation) => !violatedOn.has(operation));
  const row = {
    id,
    section,
    grade,
    text,
    verifiedIn: verifiedOn.length,
    of: operationsOf(tests).size,
    passed: passed.length,
    findings: findings.map((finding) => finding.fingerprint),
  };
  if (violations.length > 0) return { ...row, verdict: 'violated' };
  if (passed.length > 0) return { ...row, verdict: 'verified' };
  const reason = untestable ?? (grade === 'unspecified' ? UNSPECIFIED : whyUntested(tests, status, complete));
  const stoppedBy = [...new Set(tests.flatMap(({ findings }) => findings[0]?.fingerprint ?? []))];
  return { ...row, verdict: 'untested', reason, ...(stoppedBy.length === 0 ? {} : { stoppedBy }) };
}

/** A test without an operation counts as an operation of its own. */
function operationsOf(tests: readonly TestRecord[]): ReadonlySet<string> {
  return new Set(tests.map((test) => test.operation ?? test.name));
}

function hasSeen({ statuses }: TestRecord, status: number | undefined): boolean {
  return status === undefined || statuses.some((each) => each.status === String(status));
}

function whyUntested(tests: readonly TestRecord[], status: number | undefined, complete: boolean): string {
  if (tests.some(hasTriedAll)) return `no response of its tests had the status ${status ?? 200}`;
  const explained = tests.find((test) => test.reason !== undefined);
  if (explained?.reason !== undefined)
    return explained.verdict === 'error' ? `its test failed with an error: ${explained.reason}` : explained.reason;
  const [stop] = tests.flatMap((test) => test.findings);
  if (stop !== undefined) return `its tests stopped at another finding: ${stop.code} of ${stop.operation}`;
  return complete ? 'no test of this run covers it' : 'the run ended before its tests';
}
