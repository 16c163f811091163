import { groupBy } from '../../spec/group-by.ts';
import type { StoredFinding, StoredRun } from './stored-run.ts';

/** A run and what changed since the previous run of its series. */
export interface TrendRow {
  readonly run: StoredRun;
  readonly verified: number;
  readonly violated: number;
  readonly fresh: readonly StoredFinding[];
  readonly gone: readonly StoredFinding[];
}

/** A finding that some runs of a series have and others do not. */
export interface FlakyFinding extends StoredFinding {
  readonly seenIn: number;
  readonly of: number;
}

export interface RunChange {
  readonly fresh: readonly StoredFinding[];
  readonly gone: readonly StoredFinding[];
  readonly requirements: readonly { readonly id: string; readonly before: string; readonly after: string }[];
}

/** Identifies a series of comparable runs: same command, target, description and selection of tests. */
export const seriesOf = ({ command, target, title, selection = '' }: StoredRun): string =>
  [command, target, title, selection].join('\u0000');

/** True for a run that ended before all tests ran. */
const isCutOff = ({ cutOff, verdict }: StoredRun): boolean =>
  cutOff === true || verdict === 'interrupted' || verdict === 'error';

/** The complete run before a run in its series. */
export function previousRun(runs: readonly StoredRun[], run: StoredRun): StoredRun | undefined {
  return runs
    .filter((each) => each.id !== run.id && each.startedAt <= run.startedAt && seriesOf(each) === seriesOf(run))
    .filter((each) => !isCutOff(each))
    .at(-1);
}

/** False where a run tested nothing of the requirement of a finding. */
const wasTested = ({ requirements }: StoredRun, { requirement }: StoredFinding): boolean =>
  requirements[requirement] !== 'untested';

/** New and gone findings, and changed verdicts of requirements; what one of the runs did not test counts as unchanged. */
export function changesBetween(before: StoredRun, after: StoredRun): RunChange {
  const [old, now] = [before, after].map(({ findings }) => new Set(findings.map(({ fingerprint }) => fingerprint)));
  return {
    fresh: after.findings.filter((finding) => old?.has(finding.fingerprint) === false && wasTested(before, finding)),
    gone: before.findings.filter(
      (finding) => now?.has(finding.fingerprint) === false && wasTested(after, finding) && !isCutOff(after),
    ),
    requirements: Object.entries(after.requirements).flatMap(([id, verdict]) => {
      const was = before.requirements[id];
      return was === undefined || was === verdict || verdict === 'untested'
        ? []
        : [{ id, before: was, after: verdict }];
    }),
  };
}

export function trendRows(runs: readonly StoredRun[]): readonly TrendRow[] {
  return runs.map((run) => {
    const before = previousRun(runs, run);
    const { fresh, gone } = before === undefined ? { fresh: [], gone: [] } : changesBetween(before, run);
    const verdicts = Object.values(run.requirements);
    const count = (verdict: string): number => verdicts.filter((each) => each === verdict).length;
    return { run, verified: count('verified'), violated: count('violated'), fresh, gone };
  });
}

/** Findings that appeared or disappeared at least twice in the complete runs of a series that tested their requirements. */
export function flakyFindings(runs: readonly StoredRun[]): readonly FlakyFinding[] {
  const complete = runs.filter((run) => !isCutOff(run));
  return [...groupBy(complete, seriesOf).values()].flatMap((members) => {
    const known = new Map(members.flatMap(({ findings }) => findings.map((each) => [each.fingerprint, each] as const)));
    return [...known.values()].flatMap((finding): FlakyFinding[] => {
      const seen = members
        .filter((run) => wasTested(run, finding))
        .map(({ findings }) => findings.some(({ fingerprint }) => fingerprint === finding.fingerprint));
      const changes = seen.filter((each, index) => index > 0 && each !== seen[index - 1]).length;
      return changes < 2 ? [] : [{ ...finding, seenIn: seen.filter(Boolean).length, of: seen.length }];
    });
  });
}
