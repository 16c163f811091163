import { fingerprint as fingerprintOf, isSuccess } from '../../spec/index.ts';
import type { CheckName, Finding, RerunRecord, TestRecord } from '../../spec/index.ts';
import { defined } from '../../spec/defined.ts';
import { isOfProperties } from '../baseline.ts';
import type { Baseline, BaselineEntry } from '../baseline.ts';
import { groupBy } from '../../spec/group-by.ts';
import { gravity } from './kinds.ts';
import type { FixedFinding, MergedFinding } from './types.ts';

interface Hit {
  readonly finding: Finding;
  readonly test: TestRecord;
}

export interface MergeOptions {
  readonly baseline: Baseline | undefined;
  /** Day of the run, `2026-11-21`. */
  readonly today: string;
  /** Warnings fail the run too. */
  readonly strict: boolean;
}

/** Findings by fingerprint; ordered: new, violations, gravest kind and earliest occurrence first. */
export function mergeFindings(tests: readonly TestRecord[], options: MergeOptions): MergedFinding[] {
  const hits = tests.flatMap((test) => test.findings.map((finding): Hit => ({ finding, test })));
  const entries = new Map(options.baseline?.entries.map((entry) => [entry.fingerprint, entry]));
  return [...groupBy(hits, (hit) => hit.finding.fingerprint)]
    .flatMap(([, group]) => merge(group, entries, options))
    .toSorted((a, b) => rank(a) - rank(b) || gravity(a) - gravity(b));
}

/** Adds whether findings recurred when their tests ran again. */
export function withRecurrence(
  findings: readonly MergedFinding[],
  reruns: readonly Pick<RerunRecord, 'recurred' | 'notRecurred'>[],
): MergedFinding[] {
  const recurred = new Set(reruns.flatMap((each) => each.recurred));
  const notRecurred = new Set(reruns.flatMap((each) => each.notRecurred));
  return findings.map((finding) => {
    const { fingerprint } = finding;
    const isKnown = recurred.has(fingerprint) || notRecurred.has(fingerprint);
    return isKnown ? { ...finding, recurred: recurred.has(fingerprint) } : finding;
  });
}

/** Tells the findings that a baseline excuses on a day. */
export function knownIn({ baseline, today }: Pick<MergeOptions, 'baseline' | 'today'>): (finding: Finding) => boolean {
  const entries = new Map(baseline?.entries.map((entry) => [entry.fingerprint, entry]));
  return (finding) => standingOf(finding, entryOf(finding, entries), today) === 'known';
}

type Entries = ReadonlyMap<string, BaselineEntry>;

/** Checks whose findings are that a request is not served, so that nothing that needs its response can be as documented. */
const OF_FAILURES: ReadonlySet<string> = new Set([
  'answered',
  'no-server-error',
  'valid-request-served',
] satisfies CheckName[]);

/**
 * The entry of a finding, that of the same violation by each request where only some show it, or that of the failure which its last
 * response is: such a finding is a symptom, and comes and goes with it.
 */
function entryOf(finding: Finding, entries: Entries): BaselineEntry | undefined {
  const { fingerprint, cause = '', steps } = finding;
  const own = entries.get(fingerprint) ?? entries.get(steadyOf(finding));
  const last = steps.at(-1);
  if (own !== undefined || last === undefined || isSuccess(last.response?.status ?? 0)) return own;
  const entry = entries.get(cause);
  return entry?.operation === last.operation && OF_FAILURES.has(entry.check) ? entry : undefined;
}

/** The fingerprint of a finding that only some requests show, as if each did; otherwise its own. */
function steadyOf({ code, subject = '', requirement, operation, fingerprint: own }: Finding): string {
  const steady = subject.replace(/ ?intermittent$/u, '');
  return steady === subject ? own : fingerprintOf({ code, subject: steady, requirement, operation });
}

function standingOf({ severity }: Finding, entry: BaselineEntry | undefined, today: string): MergedFinding['standing'] {
  if (entry === undefined || (entry.severity === 'warning' && severity !== 'warning')) return 'new';
  return entry.expires !== undefined && entry.expires < today ? 'expired' : 'known';
}

/** How many findings of these tests fail the run. */
export function countFailing(tests: readonly TestRecord[], options: MergeOptions): number {
  return mergeFindings(tests, options).filter(({ fails }) => fails).length;
}

function rank(finding: MergedFinding): number {
  return (finding.known ? 2 : 0) + (finding.severity === 'warning' ? 1 : 0);
}

/** Lowest for the occurrence to show: a violation with no other cause, without overlapping calls, in few steps, of a plain request. */
function cost({ finding, test }: Hit): number {
  const detour = test.operation === finding.operation ? 0 : 1000;
  const explained = finding.cause === undefined && finding.sharedId === undefined ? 0 : 4000;
  const overlaps = test.suite === 'state/overlap' ? 500 : 0;
  // A read that failed after it had succeeded has a script with what was stored in between.
  const isBare = finding.script === undefined || finding.script.requests.length <= finding.steps.length;
  const unprepared = finding.code === 'no-server-error/status' && isBare ? 100 : 0;
  const generated = finding.code === 'no-server-error/status' && isOfProperties(test.suite) ? 10 : 0;
  const unusual = test.suite === 'contract/operations' ? 0 : 1;
  const rest = explained + detour + overlaps + unprepared + generated + unusual;
  return (finding.severity === 'violation' ? 0 : 2000) + rest + finding.steps.length;
}

/** Of occurrences alike, the one with the smallest last body is shown. */
const sentBytes = ({ finding }: Hit): number => finding.steps.at(-1)?.request.body?.length ?? 0;

function merge(group: readonly Hit[], entries: Entries, options: MergeOptions): MergedFinding[] {
  const clearest = group.toSorted((a, b) => cost(a) - cost(b) || sentBytes(a) - sentBytes(b))[0]?.finding;
  if (clearest === undefined) return [];
  const forms = [...new Set(group.flatMap((hit) => formsOf(hit.finding.form)))].toSorted();
  const entry = entryOf(clearest, entries);
  const standing = standingOf(clearest, entry, options.today);
  const known = standing === 'known';
  const merged: MergedFinding = {
    ...clearest,
    form: forms.join(', '),
    forms,
    operations: [...new Set([clearest.operation, ...group.map((hit) => hit.finding.operation)])],
    known,
    standing,
    fails: !known && (options.strict || clearest.severity === 'violation'),
    ...defined({ baselineReason: entry?.reason, expires: entry?.expires }),
    occurrences: group.length,
    tests: [...new Set(group.map((hit) => hit.test.name))],
  };
  return [merged];
}

/** `/api, /api/v1` as a list; a finding's form may already name several. */
function formsOf(form: string): string[] {
  return form
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function hasTriedAll({ verdict, completed }: TestRecord): boolean {
  return verdict === 'passed' || completed === true;
}

/** Baseline entries that a run tested and did not find; `runs`: its number of cases per property. */
export function fixedFindings(
  tests: readonly TestRecord[],
  findings: readonly MergedFinding[],
  baseline: Baseline | undefined,
  runs: unknown,
): FixedFinding[] {
  const found = new Set(findings.flatMap((finding) => [finding.fingerprint, steadyOf(finding)]));
  const isTested = testedBy(tests);
  return (baseline?.entries ?? [])
    .filter((entry) => !found.has(entry.fingerprint) && isTested(comparable(entry, runs)))
    .map(({ fingerprint, check, operation, message }) => ({ fingerprint, check, operation, message }));
}

/** An entry without the properties of which a run tested fewer cases than the run that found it. */
function comparable({ cases = 0, ...entry }: BaselineEntry, runs: unknown): BaselineEntry {
  const { suites } = entry;
  if (suites === undefined || typeof runs !== 'number' || cases <= runs) return entry;
  return { ...entry, suites: suites.filter((suite) => !isOfProperties(suite)) };
}

/** Operations of baseline entries that the description does not have, for example since the file is of another API; undefined without any. */
export function unknownOperations(
  baseline: Baseline | undefined,
  operations: readonly { readonly id: string }[],
): readonly string[] | undefined {
  const known = new Set(operations.map(({ id }) => id));
  const ids = (baseline?.entries ?? []).map(({ operation }) => operation);
  const unknown = new Set(ids.filter((id) => /^[A-Z]+ \//u.test(id) && !known.has(id)));
  return unknown.size === 0 || known.size === 0 ? undefined : [...unknown];
}

/**
 * Tells whether tests would have found a finding again: those of a suite that found it, where that is known. All of them must have run to
 * their end, since any of them may be the one that found it.
 */
export function testedBy(
  tests: readonly TestRecord[],
): (finding: Pick<BaselineEntry, 'check' | 'operation' | 'suites'>) => boolean {
  const keysIn = (some: readonly TestRecord[]): ReadonlySet<string> =>
    new Set(
      some.flatMap(({ checks, operation = '', suite }) => checks.flatMap((check) => keysOf(check, operation, suite))),
    );
  const [tried, open] = [keysIn(tests.filter(hasTriedAll)), keysIn(tests.filter(isOpen))];
  const isTried = (key: string): boolean => tried.has(key) && !open.has(key);
  return ({ check, operation, suites = [''] }) =>
    suites.some((suite) => isTried(keyOf(check, operation, suite)) || isTried(keyOf(check, '', suite)));
}

/** True for a test that might have found more: another finding stopped it, or it lacked time, an effect or the responses that it needs. */
function isOpen(test: TestRecord): boolean {
  const { cutShort, verdict, outOfTime, lacks, statuses } = test;
  if (cutShort !== undefined) return true;
  // A skipped test that sent nothing had nothing to test.
  return (
    !hasTriedAll(test) && (verdict !== 'skipped' || outOfTime === true || lacks !== undefined || statuses.length > 0)
  );
}

/** The keys of a test, with and without its suite. */
const keysOf = (check: string, operation: string, suite: string): readonly string[] => [
  keyOf(check, operation, suite),
  keyOf(check, operation, ''),
];

const keyOf = (check: string, operation: string, suite: string): string => [suite, check, operation].join(' ');
