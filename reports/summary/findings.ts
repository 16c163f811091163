import type { Finding, TestRecord } from '../../spec/index.ts';
import type { Baseline, BaselineEntry } from '../baseline.ts';
import type { FixedFinding, MergedFinding } from './types.ts';

/** `/api, /api/v1` as a list; a finding's form may already name several. */
export function formsOf(form: string): string[] {
  return form
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** True where an entry no longer excuses a finding: its last day lies before `today` (both `2026-11-21`). */
export function isExpired(entry: BaselineEntry, today: string): boolean {
  return entry.expires !== undefined && entry.expires < today;
}

/** Findings by fingerprint, violations before warnings, new before known, in the order of their first occurrence. */
export function mergeFindings(
  tests: readonly TestRecord[],
  baseline: Baseline | undefined,
  today: string,
): MergedFinding[] {
  const groups = new Map<string, Hit[]>();
  for (const test of tests) {
    for (const finding of test.findings)
      groups.set(finding.fingerprint, [...(groups.get(finding.fingerprint) ?? []), { finding, test }]);
  }
  const entries = new Map(baseline?.entries.map((entry) => [entry.fingerprint, entry]));
  const merged = [...groups].map(([fingerprint, group]) => merge(group, entries.get(fingerprint), today));
  return merged.toSorted((a, b) => rank(a) - rank(b));
}

function rank(finding: MergedFinding): number {
  return (finding.known ? 2 : 0) + (finding.severity === 'warning' ? 1 : 0);
}

/** One occurrence of a finding. */
interface Hit {
  readonly finding: Finding;
  readonly test: TestRecord;
}

function cost({ finding, test }: Hit): number {
  return (
    (finding.severity === 'violation' ? 0 : 2000) +
    (test.operation === finding.operation ? 0 : 1000) +
    finding.steps.length
  );
}

/** The occurrence that is easiest to act on comes first: a violation, in a test of the operation itself, in few steps. */
function clearest(hits: readonly Hit[]): Hit | undefined {
  return hits.toSorted((a, b) => cost(a) - cost(b))[0];
}

function merge(group: readonly Hit[], entry: BaselineEntry | undefined, today: string): MergedFinding {
  const findings = group.map((hit) => hit.finding);
  const worst = clearest(group)?.finding;
  if (worst === undefined) throw new Error('a group of findings is never empty');
  const forms = [...new Set(findings.flatMap((finding) => formsOf(finding.form)))].toSorted();
  const expired = entry !== undefined && isExpired(entry, today);
  return {
    ...worst,
    form: forms.join(', '),
    forms,
    operations: [
      worst.operation,
      ...new Set(findings.map((finding) => finding.operation).filter((operation) => operation !== worst.operation)),
    ],
    known: entry !== undefined && !expired,
    standing: entry === undefined ? 'new' : expired ? 'expired' : 'known',
    ...(entry === undefined ? {} : { baselineReason: entry.reason }),
    ...(entry?.expires === undefined ? {} : { expires: entry.expires }),
    occurrences: findings.length,
    tests: [...new Set(group.map((hit) => hit.test.name))],
  };
}

/** Baseline entries that this run tried (a test of that check on that operation passed) and did not find. */
export function fixedFindings(
  tests: readonly TestRecord[],
  findings: readonly MergedFinding[],
  baseline: Baseline | undefined,
): FixedFinding[] {
  if (baseline === undefined) return [];
  const found = new Set(findings.map((finding) => finding.fingerprint));
  const tried = new Set(
    tests
      .filter((test) => test.verdict === 'passed')
      .flatMap((test) => test.checks.map((check) => `${check} ${test.operation ?? ''}`)),
  );
  return baseline.entries
    .filter((entry) => !found.has(entry.fingerprint) && tried.has(`${entry.check} ${entry.operation}`))
    .map(({ fingerprint, check, operation, message }) => ({ fingerprint, check, operation, message }));
}
