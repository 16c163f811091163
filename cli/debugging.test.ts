import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';
import { runInProcess } from './testing/in-process.ts';

it('shows the stack of an error where the command line, a variable or the configuration asks for it', async () => {
  const cwd = emptyDirectory();
  const words = ['report', 'none'];
  const stack = /no run log at .*\n[^]*\n +at /u;
  expect((await runInProcess(words, { cwd })).stderr).not.toMatch(stack);
  expect((await runInProcess([...words, '--debug'], { cwd })).stderr).toMatch(stack);
  expect((await runInProcess(words, { cwd, env: { ASSAY_DEBUG: 'true' } })).stderr).toMatch(stack);
  writeFileSync(join(cwd, 'assay.config.json'), '{"debug": true}');
  expect((await runInProcess(words, { cwd })).stderr).toMatch(stack);
});
