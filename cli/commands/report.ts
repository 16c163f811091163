import { resolve } from 'node:path';
import { exitCodeOf, openLog, readLogs, viewOf, writeReports } from '../../reports/index.ts';
import type { FormatName } from '../../reports/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { openScreen } from '../frame/record-run.ts';
import { sinksOf } from '../frame/sinks.ts';
import { refuse } from '../problems.ts';
import type { ReportOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';

function keepMerged(records: readonly RunRecord[], out: string): void {
  const log = openLog(out);
  for (const record of records) log.write(record);
  log.close();
}

/** Renders the log of an earlier run again; several folders are the shares of one run and are merged. */
export async function report(invocation: Invocation<ReportOption>): Promise<number> {
  const { settings, operands, problems, directory, isSet } = invocation;
  const dirs = (operands.length === 0 ? [settings.out] : operands).map((dir) => resolve(directory, dir));
  const sinks = sinksOf(settings, directory, problems);
  refuse(problems);
  const [first = sinks.out] = dirs;
  const out = dirs.length === 1 && !isSet('out') ? first : sinks.out;
  const records = readLogs(dirs);
  if (!dirs.includes(out)) keepMerged(records, out);
  const view = viewOf(records, { baseline: sinks.baseline, ...(settings.strict ? { strict: true } : {}) });
  const written = await writeReports(view, [...new Set<FormatName>(['json', ...sinks.formats])], out);
  openScreen().end(view.summary, written);
  return exitCodeOf(view.summary);
}
