import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../spec/make-folder.ts';
import type { ReportView } from '../view.ts';
import { compareRuns } from './compare.ts';

/** Writes `compare.html` (the later run's page, with what changed on top) and `compare.json` into `out`. */
export async function writeComparison(before: ReportView, after: ReportView, out: string): Promise<string[]> {
  makeFolder(out);
  const comparison = compareRuns(before, after);
  const [page, data] = [join(out, 'compare.html'), join(out, 'compare.json')];
  const { reportPage } = await import('../formats/html/page.ts');
  await writeFile(page, reportPage({ ...after, earlier: before, comparison }));
  await writeFile(data, `${JSON.stringify(comparison, null, 2)}\n`);
  return [page, data];
}
