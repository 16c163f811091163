import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriteFormat } from './index.ts';

/** The summary as JSON, for scripts; what only the test files need is left out. */
export const writeJson: WriteFormat = async (view, out) => {
  const path = join(out, 'summary.json');
  await writeFile(
    path,
    `${JSON.stringify(view.summary, (key, value: unknown) => (key === 'script' ? undefined : value), 2)}\n`,
  );
  return [path];
};
