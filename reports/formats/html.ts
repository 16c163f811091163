import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Format } from './format.ts';
import { pageOf } from './html/page.ts';

/** One self-contained page that opens offline. */
export const html: Format = {
  describe: 'report.html, one page that opens offline',
  async write(view, out) {
    const path = join(out, 'report.html');
    await writeFile(path, pageOf(view));
    return [path];
  },
};
