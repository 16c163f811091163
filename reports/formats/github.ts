import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Format } from './format.ts';
import { appendJobSummary, markdownOf } from './markdown.ts';

/** The job summary and annotations of GitHub Actions; without Actions the same text as a file. */
export const github: Format = {
  describe: 'the job summary and annotations of GitHub Actions',
  async write(view, out) {
    const path = join(out, 'summary.md');
    await writeFile(path, markdownOf(view.summary));
    await appendJobSummary(view.summary);
    if (process.env['GITHUB_ACTIONS'] === 'true') {
      const { annotations } = await import('./annotations.ts');
      process.stdout.write(`${annotations(view.summary).join('\n')}\n`);
    }
    return [path];
  },
};
