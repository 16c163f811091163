import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Format } from './format.ts';

/** One self-contained page that opens offline; loaded only when asked for. */
export const html: Format = {
  describe: 'report.html, one page that opens offline',
  async write(view, out) {
    const path = join(out, 'report.html');
    const { pageOf } = await import('./html/page.ts');
    await writeFile(path, pageOf(view));
    return [path];
  },
};
