import type { ReportView } from '../view.ts';
import type { MergedFinding, Summary } from '../summary/types.ts';
import { suitesOf } from '../baseline.ts';
import { testedBy } from '../summary/findings.ts';
import { isUnrun } from '../summary/statistics.ts';
import { isCutOff } from '../summary/verdict.ts';
import { errorCount } from '../text/numbers.ts';
import { timeChanges } from './durations.ts';
import type { ValueChange, ComparedRun, Comparison, LoadChange, OperationChange, OperationState } from './types.ts';

/** What changed between two runs, or two deployments; the same seed generates the same cases. */
export function compareRuns(before: ReportView, after: ReportView): Comparison {
  const ended = endedEarly(before.summary, after.summary);
  const short = [before, after].map(lackingTime);
  return {
    before: sideOf(before.summary),
    after: sideOf(after.summary),
    findings: compareFindings(before.summary.findings, after),
    requirements: changes(
      new Map(before.summary.requirements.map((requirement) => [requirement.id, requirement.verdict])),
      new Map(after.summary.requirements.map((requirement) => [requirement.id, requirement.verdict])),
    ).filter(
      (change) =>
        (ended.length === 0 || ![change.before, change.after].includes('untested')) && !isOnlyUntested(change, short),
    ),
    operations: compareOperations(before.summary, after.summary).filter(
      (change) => (ended.length === 0 || becameFailed(change)) && !isOnlyUnsent(change, short),
    ),
    observations: changes(observationsOf(before.summary), observationsOf(after.summary)).filter(
      (change) =>
        (ended.length === 0 && short.every((lacking) => lacking === undefined)) ||
        (change.before !== undefined && change.after !== undefined),
    ),
    durations: timeChanges(before.tests, after.tests),
    load: compareLoad(before.summary, after.summary),
    notes: [...notesOf(before.summary, after.summary), ...ended, ...outOfTime(before.summary, after.summary)],
  };
}

/** True where a finding fails the later run and did not fail the earlier one. */
export function isWorse({ findings }: Comparison): boolean {
  return findings.worse.length > 0 || findings.new.some(({ fails }) => fails);
}

/** True where nothing but times and what was tested differs. */
export function isSame(comparison: Comparison): boolean {
  const { findings, requirements, operations, observations } = comparison;
  return (
    findings.new.length +
      findings.fixed.length +
      findings.worse.length +
      requirements.length +
      operations.length +
      observations.length ===
    0
  );
}

function sideOf({ target, startedAt, seed, verdict, durationMs }: Summary): ComparedRun {
  return { baseUrl: target.baseUrl, startedAt, seed, verdict, durationMs };
}

function compareFindings(old: readonly MergedFinding[], after: ReportView): Comparison['findings'] {
  const now = new Set(after.summary.findings.map((finding) => finding.fingerprint));
  const known = new Set(old.map((finding) => finding.fingerprint));
  const tested = testedBy(after.tests);
  const gone = old.filter((finding) => !now.has(finding.fingerprint));
  const failed = new Set(old.filter(({ fails }) => fails).map(({ fingerprint }) => fingerprint));
  const same = after.summary.findings.filter((finding) => known.has(finding.fingerprint));
  const isTested = ({ check, operation, tests }: MergedFinding): boolean =>
    tested({ check, operation, suites: suitesOf(tests) });
  return {
    new: after.summary.findings.filter((finding) => !known.has(finding.fingerprint)),
    same,
    worse: same.filter(({ fails, fingerprint }) => fails && !failed.has(fingerprint)),
    fixed: gone.filter(isTested),
    untested: gone.filter((finding) => !isTested(finding)),
  };
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): ValueChange[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .map((what) => ({ what, before: before.get(what), after: after.get(what) }))
    .filter((change) => change.before !== change.after);
}

function observationsOf(summary: Summary): Map<string, string> {
  const seen = new Map<string, Set<string>>();
  for (const { what, value, operation } of summary.observations) {
    const name = operation === undefined ? what : `${operation}: ${what}`;
    seen.set(name, (seen.get(name) ?? new Set()).add(value));
  }
  return new Map([...seen].map(([name, values]) => [name, [...values].toSorted().join(', ')]));
}

function compareOperations(before: Summary, after: Summary): OperationChange[] {
  const old = cellsOf(before);
  const now = cellsOf(after);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const [a, b] = [old.get(key), now.get(key)];
    const [operation = '', form = ''] = key.split('\u0000');
    return stateText(a) === stateText(b) ? [] : [{ operation, form, before: a, after: b }];
  });
}

function becameFailed({ before, after }: OperationChange): boolean {
  return before?.verdict === 'passed' && after?.verdict === 'failed';
}

function cellsOf(summary: Summary): Map<string, OperationState> {
  return new Map(
    summary.operations.flatMap(({ id, forms }) =>
      Object.entries(forms).map(
        ([form, { verdict, statuses }]) =>
          [`${id}\u0000${form}`, { verdict, statuses: Object.keys(statuses) }] as const,
      ),
    ),
  );
}

function stateText(state: OperationState | undefined): string {
  return state === undefined ? '' : `${state.verdict} ${state.statuses.join(' ')}`;
}

/** What a run had no time to test; undefined where it had time for all. */
interface Lacking {
  readonly requirements: ReadonlySet<string>;
  /** Operations with tests that did not run. */
  readonly operations: ReadonlySet<string>;
}

function lackingTime({ tests }: ReportView): Lacking | undefined {
  const unrun = tests.filter(isUnrun);
  if (unrun.length === 0) return undefined;
  return {
    requirements: new Set(unrun.flatMap(({ requirements }) => requirements)),
    operations: new Set(unrun.flatMap(({ operation }) => operation ?? [])),
  };
}

/** True where a requirement is verified in one run, and untested in the other one for lack of time. */
function isOnlyUntested({ what, before, after }: ValueChange, [old, now]: readonly (Lacking | undefined)[]): boolean {
  return (
    (before === 'verified' && after === 'untested' && now?.requirements.has(what) === true) ||
    (before === 'untested' && after === 'verified' && old?.requirements.has(what) === true)
  );
}

/** True where the responses of an operation differ only by those that one of the runs had no time to ask for. */
function isOnlyUnsent(change: OperationChange, [old, now]: readonly (Lacking | undefined)[]): boolean {
  const { operation, before, after } = change;
  return (
    (now?.operations.has(operation) === true && isPartOf(after, before)) ||
    (old?.operations.has(operation) === true && isPartOf(before, after))
  );
}

function isPartOf(part: OperationState | undefined, whole: OperationState | undefined): boolean {
  if (part === undefined || whole === undefined) return false;
  const isSameVerdict = part.verdict === 'untested' || part.verdict === whole.verdict;
  return isSameVerdict && part.statuses.every((status) => whole.statuses.includes(status));
}

function compareLoad(before: Summary, after: Summary): LoadChange[] {
  return (after.scenarios ?? []).flatMap((now) => {
    const old = before.scenarios?.find((scenario) => scenario.name === now.name);
    if (old === undefined) return [];
    return [
      { measure: 'requests/s', before: old.rate, after: now.rate },
      { measure: 'errors', before: errorCount(old.errors), after: errorCount(now.errors) },
      ...(['p50', 'p90', 'p99', 'p99_9', 'max'] as const).map((name) => ({
        measure: `${name.replace('_', '.')} ms`,
        before: old.latencyMs[name],
        after: now.latencyMs[name],
      })),
    ].map((change) => ({ scenario: now.name, ...change }));
  });
}

function notesOf(before: Summary, after: Summary): string[] {
  return [
    ...(before.command === after.command
      ? []
      : [`The runs are of different commands: ${before.command} and ${after.command}.`]),
    ...(before.spec.title === after.spec.title
      ? []
      : [`The descriptions differ: "${before.spec.title}" and "${after.spec.title}".`]),
    ...(before.seed === after.seed
      ? []
      : [`The seeds differ (${before.seed} and ${after.seed}), so generated requests do too.`]),
  ];
}

/** A note on each run that had no time for some of its tests. */
function outOfTime(...runs: readonly Summary[]): string[] {
  return runs
    .filter(({ totals }) => totals.outOfTime !== undefined)
    .map(({ startedAt }) => `The run of ${startedAt} ran out of time: what it therefore did not test is left out.`);
}

/** A note on each run that did not test all that it was to test. */
function endedEarly(...runs: readonly Summary[]): string[] {
  return runs
    .filter(isCutOff)
    .map((run) => `The run of ${run.startedAt} ${howItEnded(run)}: what only the other run tested is left out.`);
}

function howItEnded({ verdict, bailed, reason, errors }: Summary): string {
  if (bailed !== undefined) return 'was ended early by --bail';
  if (verdict === 'interrupted') return 'was interrupted';
  return `is incomplete (${reason ?? errors[0]?.message ?? verdict})`;
}
