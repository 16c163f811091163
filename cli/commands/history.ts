import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../spec/make-folder.ts';
import { count, historyLines, historyPage, openStore, readLogs, storedRun, viewOf } from '../../reports/index.ts';
import { EXIT } from '../../spec/index.ts';
import { COMMAND } from '../command-name.ts';
import type { OptionOf } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import { refuse } from '../problems.ts';
import { baselineOfRun } from '../run/baseline.ts';
import { asTyped } from '../run/show.ts';
import { print, printJson, screenColumns } from '../text/print.ts';

/** Adds runs to the store, and shows all runs in it as a table and a page. */
export async function history(invocation: Invocation<OptionOf<'history'>>): Promise<number> {
  const { settings, operands, problems, directory } = invocation;
  refuse(problems);
  const summaries = operands.map((dir) => {
    const records = readLogs([resolve(directory, dir)]);
    return viewOf(records, { baseline: baselineOfRun(records, directory) }).summary;
  });
  const file = resolve(directory, settings.store);
  // Opening a store makes its file.
  const store = summaries.length === 0 && !existsSync(file) ? undefined : await openStore(file);
  const begun = summaries.filter((summary, at) => {
    const hasBegun = summary.version !== '';
    if (!hasBegun) process.stderr.write(`${operands[at] ?? ''}: left out: this run ended before its first request\n`);
    return hasBegun;
  });
  const added = begun.filter((summary) => store?.add(storedRun(summary))).length;
  const runs = store?.all() ?? [];
  store?.close();
  if (settings.json) {
    printJson(runs);
    return EXIT.passed;
  }
  if (runs.length === 0) {
    print([`No runs in ${settings.store}. Add one: ${COMMAND} history DIR`]);
    return EXIT.passed;
  }
  const out = resolve(directory, settings.out);
  makeFolder(out);
  const page = join(out, 'history.html');
  writeFileSync(page, historyPage(runs));
  print([
    `${count(runs.length, 'run')} in ${settings.store}, ${added} new`,
    '',
    ...historyLines(runs, screenColumns() ?? 120),
    '',
    ...asTyped([page]),
  ]);
  return EXIT.passed;
}
