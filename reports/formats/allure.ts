import { join } from 'node:path';
import type { Format } from './format.ts';

const PACKAGES = '@allurereport/core@3.18.0 @allurereport/plugin-awesome@3.18.0';

/** Allure results, and the report made of them as one file; loaded only when asked for. */
export const allure: Format = {
  describe: 'allure-results/ through allure-vitest, and allure-report.html, one page that opens offline',
  async write(view, out) {
    const [{ writeResults }, { writeAllureReport }] = await Promise.all([
      import('./allure/results.ts'),
      import('./allure/report.ts'),
    ]);
    const dir = join(out, 'allure-results');
    writeResults(view, dir);
    const report = await writeAllureReport(view, dir, out);
    if (report !== undefined) return [dir, report];
    process.stderr.write(`allure-report.html was not made; its optional packages are: npm install ${PACKAGES}\n`);
    return [dir];
  },
};
