import { resolve } from 'node:path';
import { exitCodeOf, openLog, readLog, readLogs, viewOf, writeReports } from '../../reports/index.ts';
import type { FormatName } from '../../reports/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { openScreen } from '../frame/record-run.ts';
import { sinksOf } from '../frame/sinks.ts';
import { refuse } from '../problems.ts';
import { compareReports } from './report-compare.ts';
import type { ReportOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';

function keepMerged(records: readonly RunRecord[], out: string): void {
  const log = openLog(out);
  for (const record of records) log.write(record);
  log.close();
}

/** Two folders, where a comparison is wanted. */
function comparedDirs({ settings, operands, problems }: Invocation<ReportOption>): readonly string[] {
  if (settings.compare.length === 0) return [];
  const dirs = [...settings.compare, ...operands];
  if (dirs.length !== 2)
    problems.push({
      thing: '--compare',
      wrong: `wants two folders and got ${dirs.length}`,
      mend: 'use assay report --compare BEFORE AFTER',
    });
  return dirs;
}

/** Renders the log of an earlier run again; several folders are the shares of one run and are merged, or two are compared. */
export async function report(invocation: Invocation<ReportOption>): Promise<number> {
  const { settings, operands, problems, directory, isSet } = invocation;
  const sinks = sinksOf(settings, directory, problems);
  const [before, after] = comparedDirs(invocation);
  refuse(problems);
  if (before !== undefined && after !== undefined)
    return compareReports(readLog(resolve(directory, before)), readLog(resolve(directory, after)), sinks.out);
  const dirs = (operands.length === 0 ? [settings.out] : operands).map((dir) => resolve(directory, dir));
  const [first = sinks.out] = dirs;
  const out = dirs.length === 1 && !isSet('out') ? first : sinks.out;
  const records = readLogs(dirs);
  if (!dirs.includes(out)) keepMerged(records, out);
  const view = viewOf(records, { baseline: sinks.baseline, ...(settings.strict ? { strict: true } : {}) });
  const written = await writeReports(view, [...new Set<FormatName>(['json', ...sinks.formats])], out);
  openScreen().end(view.summary, written);
  return exitCodeOf(view.summary);
}
