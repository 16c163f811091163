import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { updateBaseline, viewOf, writeBaseline } from '../reports/index.ts';
import { changed, sampleRun } from '../reports/testing/sample-run.ts';
import type { RunRecord } from '../spec/index.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';
import { runInProcess } from './testing/in-process.ts';

/** Writes the log of a run into a folder. */
function logged(cwd: string, dir: string, records: readonly RunRecord[]): string {
  mkdirSync(join(cwd, dir), { recursive: true });
  writeFileSync(join(cwd, dir, 'run.ndjson'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return dir;
}

const withOptions = (records: readonly RunRecord[], options: object): RunRecord[] =>
  changed(records, 'run-start', (start) => ({ options: { ...start.options, ...options } }));

it('judges runs by their own baseline, or the one that is given', async () => {
  const cwd = emptyDirectory();
  const records = sampleRun({ findings: 2 });
  writeBaseline(join(cwd, 'known.json'), updateBaseline(undefined, viewOf(records).summary));
  const before = logged(cwd, 'before', sampleRun({ findings: 0 }));
  const after = logged(cwd, 'after', withOptions(records, { baseline: 'known.json' }));
  const bare = logged(cwd, 'bare', records);
  expect(await runInProcess(['report', '--compare', before, after], { cwd })).toMatchObject({ code: 0 });
  expect(await runInProcess(['report', '--compare', before, bare], { cwd })).toMatchObject({ code: 1 });
  const given = ['--baseline', 'known.json'];
  expect(await runInProcess(['report', '--compare', before, bare, ...given], { cwd })).toMatchObject({ code: 0 });
  const { stdout } = await runInProcess(['history', after, '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject([{ verdict: 'passed' }]);
});

it('does not say that nothing is worse in a run that did not test all', async () => {
  const cwd = emptyDirectory();
  const before = logged(cwd, 'before', sampleRun({ findings: 1 }));
  const lost = { type: 'error', message: 'the token is no longer accepted', exitCode: 6 } as const;
  const bailed = changed(sampleRun({ findings: 1 }), 'run-end', () => ({ bailed: 1 }));
  for (const [dir, records, code] of [
    ['lost', [...sampleRun({ findings: 0 }), lost], 6],
    ['killed', sampleRun({ findings: 0, ended: false }), 130],
    ['bailed', bailed, 6],
    ['complete', sampleRun({ findings: 1 }), 0],
    ['worse', changed(sampleRun({ findings: 2 }), 'run-end', () => ({ interrupted: true })), 1],
  ] as const)
    expect(await runInProcess(['report', '--compare', before, logged(cwd, dir, records)], { cwd })).toMatchObject({
      code,
    });
});
