import type { RunRecord, TestRecord } from '../spec/index.ts';
import { testsOf } from './records.ts';
import type { Comparison } from './compare/types.ts';
import { countedTests } from './summary/reach.ts';
import { summarise } from './summary/summarise.ts';
import { withFailures } from './summary/test-outcome.ts';
import type { SummariseOptions } from './summary/summarise.ts';
import type { ReplayOf } from './text/replay.ts';
import type { Summary } from './summary/types.ts';

/** Everything that a format may read. */
export interface ReportView {
  readonly records: readonly RunRecord[];
  readonly tests: readonly TestRecord[];
  readonly summary: Summary;
  /** True if the Allure results were written while the run was in progress. */
  readonly hasAllureResults?: boolean;
  /** The command that replays a finding of this report; default: the one of the finding, which needs no report. */
  readonly replayOf?: ReplayOf;
  /** An earlier run, shown beside this one. */
  readonly earlier?: ReportView;
  /** What changed since {@link ReportView.earlier}. */
  readonly comparison?: Comparison;
}

/** What the formats render, from a run's records. */
export function viewOf(records: readonly RunRecord[], options: SummariseOptions = {}): ReportView {
  const summary = summarise(records, options);
  return { records, tests: withFailures(countedTests(testsOf(records)), summary.findings), summary };
}

/** A test's name without its suite, which stands before it. */
export function nameWithinSuite({ name, suite }: TestRecord): string {
  const prefix = `${suite} > `;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
