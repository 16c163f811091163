import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Format } from './format.ts';

/** The summary as JSON, for scripts. */
export const json: Format = {
  describe: 'summary.json, for scripts',
  async write(view, out) {
    const path = join(out, 'summary.json');
    await writeFile(path, `${JSON.stringify(view.summary, null, 2)}\n`);
    return [path];
  },
};
