import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { runInProcess } from '../testing/in-process.ts';

it('tells the problems of init without speaking of requests', async () => {
  const { stderr } = await runInProcess(['init', '--base-url', 'nonsense', '--ci', 'nonsense']);
  expect(stderr).toMatch(/^error: 2 problems; nothing was written:/u);
});

it('says that init keeps a configuration that exists, and what it does not change in it', async () => {
  const cwd = emptyDirectory();
  const config = "export default { baseUrl: 'http://127.0.0.1:1' };";
  writeFileSync(join(cwd, 'assay.config.ts'), config);
  const words = ['init', '--base-url', 'http://127.0.0.1:2', '--ci', 'gitlab'];
  const { code, stdout } = await runInProcess(words, { cwd });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^kept assay.config.ts as it is; not written to it: --base-url\nwrote /u),
  ]);
  expect(readFileSync(join(cwd, 'assay.config.ts'), 'utf8')).toBe(config);
});

it('writes no second configuration and no second pipeline over those that exist', async () => {
  const cwd = emptyDirectory();
  for (const name of ['assay.config.json', '.gitlab-ci.yml']) writeFileSync(join(cwd, name), '{}');
  const words = ['init', '--base-url', 'http://127.0.0.1:2'];
  const { code, stderr } = await runInProcess(words, { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('assay.config.json already exists')]);
  const { stdout } = await runInProcess([...words, '--ci', 'gitlab'], { cwd });
  expect(stdout).toContain('kept assay.config.json as it is');
  expect(stdout).toContain('wrote assay.gitlab-ci.yml');
  expect(stdout).toContain('\n  include: { local: assay.gitlab-ci.yml }\n');
  expect(stdout).toContain('.gitignore');
  expect(readdirSync(cwd)).not.toContain('assay.config.ts');
  expect(readFileSync(join(cwd, '.gitlab-ci.yml'), 'utf8')).toBe('{}');
});
