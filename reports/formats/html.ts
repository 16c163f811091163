import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriteFormat } from './index.ts';
import { pageOf } from './html/page.ts';

/** One self-contained page that opens offline. */
export const writeHtml: WriteFormat = async (view, out) => {
  const path = join(out, 'report.html');
  await writeFile(path, pageOf(view));
  return [path];
};
