import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  compareRuns,
  exitCodeOf,
  isCutOff,
  isWorse,
  openLog,
  printComparison,
  readLog,
  readLogs,
  replayIn,
  viewOf,
  writeComparison,
  writeReports,
} from '../../reports/index.ts';
import type { ReportView } from '../../reports/index.ts';
import { EXIT, usageError } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { COMMAND } from '../command-name.ts';
import type { OptionOf } from '../catalogue.ts';
import { effectsOfKilled } from '../target/clean.ts';
import { baselineOfRun } from '../run/baseline.ts';
import { asTyped, openConsole, openReport, screenOptions, showUntilStopped } from '../run/show.ts';
import { formatsOf, sinksOf } from '../run/sinks.ts';
import type { Sinks } from '../run/sinks.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { comparisonLines } from '../text/comparison.ts';

type ReportInvocation = Invocation<OptionOf<'report'>>;

function keepMerged(records: readonly RunRecord[], out: string): void {
  const log = openLog(out);
  for (const record of records) log.write(record);
  log.close();
}

function comparedDirs({ settings, operands, problems, directory }: ReportInvocation): readonly string[] {
  if (settings.compare.length === 0) return [];
  const dirs = [...settings.compare, ...operands];
  if (dirs.length !== 2) {
    const message = `requires two folders, got ${dirs.length}`;
    problems.push({ subject: '--compare', message, hint: 'use assay report --compare BEFORE AFTER' });
  }
  return dirs.map((dir) => resolve(directory, dir));
}

/** Prints and writes what changed from one run to another; returns the exit code. */
async function compareReports(
  before: string,
  after: string,
  { out, shows, opens }: Sinks,
  judged: (records: readonly RunRecord[]) => ReportView,
): Promise<number> {
  const [a, b] = [judged(readLog(before)), judged(readLog(after))];
  for (const [dir, { summary, tests }] of [[before, a] as const, [after, b] as const])
    if (summary.verdict === 'error' && tests.length === 0 && (summary.scenarios ?? []).length === 0)
      throw usageError(
        `${dir} holds no results: its run ended with an error before it tested anything`,
        'compare runs that have results',
      );
  const comparison = compareRuns(a, b);
  const files = await writeComparison(a, b, out);
  if (opens) await openReport(files);
  const { compareLoad } = await import('../../load/index.ts');
  const measured = compareLoad(a.records, b.records);
  if (shows === 'json') process.stdout.write(`${JSON.stringify({ ...comparison, measured }, null, 2)}\n`);
  else printComparison(comparison, screenOptions(), asTyped(files));
  if (shows !== 'json' && measured.length > 0) process.stdout.write(`${comparisonLines(measured).join('\n')}\n`);
  if (isWorse(comparison)) return EXIT.failed;
  if (measured.some(({ worse }) => worse)) return EXIT.threshold;
  // A run without a verdict does not show that nothing is worse.
  if (!['passed', 'failed'].includes(b.summary.verdict)) return exitCodeOf(b.summary);
  return isCutOff(b.summary) ? EXIT.inconclusive : EXIT.passed;
}

/** Renders the log of a run, merges the logs of shards, or compares two runs. */
export async function report(invocation: ReportInvocation): Promise<number> {
  const { settings, operands, problems, directory, isSet, signal } = invocation;
  const sinks = await sinksOf(settings, directory, problems);
  const [before, after] = comparedDirs(invocation);
  refuse(problems);
  /** With the baseline and the strictness of the run, unless others are given. */
  const judged = (records: readonly RunRecord[], warn?: (text: string) => void): ReportView =>
    viewOf(records, {
      baseline: sinks.baseline ?? baselineOfRun(records, directory, warn),
      ...(settings.strict ? { strict: true } : {}),
    });
  if (before !== undefined && after !== undefined) return compareReports(before, after, sinks, judged);
  const dirs = (operands.length === 0 ? [settings.out] : operands).map((dir) => resolve(directory, dir));
  const logged = readLogs(dirs);
  const records = [...logged, ...effectsOfKilled(logged)];
  const folders = dirs.map((dir) => (statSync(dir, { throwIfNoEntry: false })?.isFile() === true ? dirname(dir) : dir));
  const [only = sinks.out, ...others] = folders;
  const out = others.length === 0 && !isSet('out') ? only : sinks.out;
  if (!folders.includes(out)) keepMerged(records, out);
  const screen = openConsole(sinks);
  const view = {
    ...judged(records, (text) => screen.warn(text)),
    replayOf: replayIn(asTyped([out])[0] ?? out, COMMAND),
  };
  const files = await writeReports(view, formatsOf(sinks), out, (text) => screen.note(text));
  screen.end(view.summary, asTyped(files));
  if (sinks.opens) await openReport(files);
  if (sinks.serves) await showUntilStopped(view.records, view.summary, signal);
  return exitCodeOf(view.summary);
}
