import type { ScenarioRecord, TestRecord } from '../../spec/index.ts';
import { measured } from '../text/numbers.ts';
import type { MergedFinding, Summary } from './types.ts';

/** How a test counts in a report. */
export interface TestOutcome {
  /** A known finding makes a test skipped; a warning fails one with `--strict` only. */
  readonly status: 'passed' | 'failed' | 'skipped' | 'error';
  readonly findings: readonly MergedFinding[];
  /** The findings that fail the run; none unless the status is `failed`. */
  readonly failing: readonly MergedFinding[];
  /** Why it was skipped or could not be judged; else empty. */
  readonly reason: string;
}

/** Outcomes as the run's verdict counts them. */
export function outcomesOf(summary: Summary): (test: TestRecord) => TestOutcome {
  const merged = new Map(summary.findings.map((finding) => [finding.fingerprint, finding]));
  return ({ verdict, reason = '', findings: reported }) => {
    const findings = reported.flatMap(({ fingerprint }) => merged.get(fingerprint) ?? []);
    const failing = findings.filter(({ fails }) => fails);
    if (failing.length > 0) return { status: 'failed', findings, failing, reason: '' };
    const known = findings.find((finding) => finding.known);
    if (known !== undefined)
      return {
        status: 'skipped',
        findings,
        failing,
        reason: `known: ${known.message} (${known.baselineReason ?? ''})`,
      };
    if (verdict === 'skipped') return { status: 'skipped', findings, failing, reason };
    const isError = verdict === 'error' || (verdict === 'failed' && findings.length === 0);
    return { status: isError ? 'error' : 'passed', findings, failing, reason: isError ? reason || 'no finding' : '' };
  };
}

/** The tests, as failed where a finding fails the run although the test ended otherwise: it met an outage, and ran again after it. */
export function withFailures(tests: readonly TestRecord[], findings: Summary['findings']): readonly TestRecord[] {
  const failing = new Set(findings.flatMap(({ fails, fingerprint }) => (fails ? fingerprint : [])));
  const fails = ({ findings: own }: TestRecord): boolean => own.some(({ fingerprint }) => failing.has(fingerprint));
  return tests.map((test) => (fails(test) ? { ...test, verdict: 'failed' } : test));
}

/** A threshold as a test of its scenario. */
export interface ThresholdTest {
  readonly scenario: string;
  readonly expression: string;
  /** In a search for the capacity no threshold fails the run. */
  readonly passed: boolean;
  readonly message: string;
}

export function thresholdOutcomes({ command, scenarios = [] }: Summary): ThresholdTest[] {
  return scenarios.flatMap(({ name, thresholds, findings = [] }) =>
    thresholds.map((threshold: ScenarioRecord['thresholds'][number]) => ({
      scenario: name,
      expression: threshold.expression,
      passed: threshold.held || command === 'capacity',
      message: [
        `${threshold.expression}: measured ${measured(threshold)}`,
        ...(threshold.metric === 'violations' ? findings.map(({ message }) => message) : []),
      ].join('; '),
    })),
  );
}
