import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Format } from './format.ts';

/** Findings as SARIF 2.1.0, each pointing into the description file. */
export const sarif: Format = {
  describe: 'findings.sarif, for code scanning',
  async write(view, out) {
    const { sarifOf } = await import('./sarif-document.ts');
    const path = join(out, 'findings.sarif');
    await writeFile(path, `${JSON.stringify(sarifOf(view.summary), null, 2)}\n`);
    return [path];
  },
};
