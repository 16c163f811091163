import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Summary } from '../summary/types.ts';
import type { WriteFormat } from './index.ts';

/** The summary as JSON, for scripts; what only the test files need is left out. */
export function summaryText(summary: Summary): string {
  return `${JSON.stringify(summary, (key, value: unknown) => (key === 'script' ? undefined : value), 2)}\n`;
}

export const writeJson: WriteFormat = async (view, out) => {
  const path = join(out, 'summary.json');
  await writeFile(path, summaryText(view.summary));
  return [path];
};
