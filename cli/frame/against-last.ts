import { resolve } from 'node:path';
import { changeLines, changesBetween, openStore, previousRun, storedRun } from '../../reports/index.ts';
import type { Summary } from '../../reports/index.ts';

/** Adds a run to the store, and prints what changed since the last one of the same target and description. */
export async function compareWithLast(summary: Summary, file: string, stream: NodeJS.WritableStream): Promise<void> {
  const store = await openStore(resolve(file));
  const run = storedRun(summary);
  const before = previousRun(store.all(), run);
  store.add(run);
  store.close();
  const first = [`No earlier run of this target in ${file}; this one was added.`];
  const lines = before === undefined ? first : changeLines(changesBetween(before, run), before);
  stream.write(`${lines.join('\n')}\n`);
}
