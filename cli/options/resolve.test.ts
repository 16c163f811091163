import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configSource } from './config-file.ts';
import { readDotEnv } from '../dot-env.ts';
import { environmentSource } from './environment.ts';
import { resolve } from './resolve.ts';
import type { Problem } from '../problems.ts';
import type { Source } from './resolve.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

const directory = (files: Readonly<Record<string, string>>): string => {
  const made = emptyDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  return made;
};

const flags = (given: Readonly<Record<string, string>>): Source =>
  new Map(Object.entries(given).map(([name, text]) => [name as 'seed', { texts: [text], subject: `--${name}` }]));

it('takes flags before the environment, the environment before .env, that before the file, that before the default', async () => {
  const where = directory({
    '.env': 'ASSAY_SEED=3\nASSAY_RUNS=30\nASSAY_SETTLE=300\n',
    'assay.config.json': '{"seed":4,"runs":40,"settle":400,"out":"file"}',
  });
  const problems: Problem[] = [];
  const sources = [
    flags({ seed: '1' }),
    environmentSource({ ASSAY_SEED: '2', ASSAY_RUNS: '20' }, readDotEnv(where)),
    await configSource(where, undefined, problems),
  ];
  expect(resolve(['seed', 'runs', 'settle', 'out', 'strict'], sources, problems)).toEqual({
    seed: 1,
    runs: 20,
    settle: 300,
    out: 'file',
    strict: false,
  });
  expect(problems).toEqual([]);
});

it.skipIf(process.platform !== 'linux')('names a configuration that cannot be read', async () => {
  const where = directory({});
  // Not even root can read it.
  symlinkSync('/proc/self/mem', join(where, 'assay.config.json'));
  const problems: Problem[] = [];
  await configSource(where, undefined, problems);
  expect(problems).toMatchObject([
    { subject: 'assay.config.json', message: expect.stringMatching(/^cannot be read: E/u) },
  ]);
});

it('reads a configuration in TypeScript, with lists', async () => {
  const where = directory({
    'assay.config.ts':
      "import { defineConfig } from 'assay';\nconst allow: ('read' | 'global')[] = ['read', 'global'];\nexport default defineConfig({ allow, strict: true });\n",
  });
  const problems: Problem[] = [];
  expect(resolve(['allow', 'strict'], [await configSource(where, undefined, problems)], problems)).toEqual({
    allow: ['read', 'global'],
    strict: true,
  });
});

it('reports every problem with its source', async () => {
  const where = directory({ 'assay.config.json': '{"sed": 4, "runs": {"a": 1}, "settle": "soon"}' });
  const problems: Problem[] = [];
  const sources = [
    flags({ seed: 'x' }),
    environmentSource({ ASSAY_ALLOW: 'raed' }, {}),
    await configSource(where, undefined, problems),
  ];
  resolve(['seed', 'allow', 'settle', 'runs'], sources, problems);
  const things = problems.map((problem) => problem.subject);
  expect(things).toEqual([
    'sed in assay.config.json',
    'runs in assay.config.json',
    '--seed "x"',
    'ASSAY_ALLOW "raed"',
    'settle in assay.config.json "soon"',
  ]);
  expect(problems[0]?.hint).toBe('did you mean seed?');
});

it('shows no token, not even an invalid one', () => {
  const problems: Problem[] = [];
  resolve(['token'], [flags({ token: 'secret with spaces' })], problems);
  expect(problems).toHaveLength(1);
  expect(JSON.stringify(problems)).not.toContain('secret');
});

it.each([
  ['assay.config.ts', 'const runs = 1;', 'assay.config.ts has no default export'],
  ['assay.config.ts', 'export const runs = 1;', 'assay.config.ts has no default export'],
  ['assay.config.ts', 'export default 1;', 'assay.config.ts does not export an object'],
  ['assay.config.ts', '\n throw new Error("no\\nway");', 'assay.config.ts:2 cannot be read: no'],
  ['assay.config.ts', '\nexport default () => { throw 1; }', 'assay.config.ts cannot be read: 1'],
  ['assay.config.ts', '\nexport default { a: , };', 'assay.config.ts:2 cannot be read: ParseError: Unexpected token'],
  ['assay.config.json', '[]', 'assay.config.json is not a JSON object'],
  ['assay.config.json', '{\n  "runs" 1}', /^assay.config.json:2:10 is not valid JSON: Colon/],
  ['assay.config.json', '', /^assay.config.json:1:1 is not valid JSON: /],
])('reports a mistake in %s: %j', async (name, text, expected) => {
  const problems: Problem[] = [];
  await configSource(directory({ [name]: text }), undefined, problems);
  const [found] = problems.map(({ subject, message }) => `${subject} ${message}`);
  expect(found).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
});

it('reports a configuration or .env that is missing or a folder', async () => {
  const problems: Problem[] = [];
  await configSource(directory({}), 'none.json', problems);
  await configSource(directory({ 'assay.config.json': '{}' }), '.', problems);
  const folders = directory({});
  for (const name of ['assay.config.json', '.env']) mkdirSync(join(folders, name));
  await configSource(folders, undefined, problems);
  expect(problems).toMatchObject([
    { subject: '--config "none.json"', message: 'does not exist' },
    { subject: '--config "."', message: 'is a folder', hint: 'name a file, for example assay.config.json' },
    { subject: 'assay.config.json', message: 'is a folder' },
  ]);
  expect(() => readDotEnv(folders)).toThrow(/\.env is a folder/u);
});
