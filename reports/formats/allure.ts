import { join } from 'node:path';
import type { WriteFormat } from './index.ts';
import { writeAllureReport } from './allure/report.ts';
import { writeResults } from './allure/results.ts';

const PACKAGES = '@allurereport/core@3.18.0 @allurereport/plugin-awesome@3.18.0';

/** Allure results and one page of them; a run that reached its end has its results from allure-vitest already. */
export const writeAllure: WriteFormat = async (view, out) => {
  const dir = join(out, 'allure-results');
  if (view.hasAllureResults !== true) await writeResults(view, dir);
  const report = await writeAllureReport(view, dir, out);
  if (report !== undefined) return [dir, report];
  process.stderr.write(`note: allure-report.html needs two more packages: npm install ${PACKAGES}\n`);
  return [dir];
};
