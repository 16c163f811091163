import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriteFormat } from './index.ts';

/** The summary as JSON, for scripts. */
export const writeJson: WriteFormat = async (view, out) => {
  const path = join(out, 'summary.json');
  await writeFile(path, `${JSON.stringify(view.summary, null, 2)}\n`);
  return [path];
};
