import { expect, it } from 'vitest';
import { runAssay } from './run-assay.ts';

// Other command lines are run in one process, by cli/usage.test.ts.
it('prints its help and its version', async () => {
  const { code, stdout, stderr } = await runAssay(['--help']);
  expect([code, stderr]).toEqual([0, '']);
  for (const command of ['verify', 'load', 'capacity', 'serve', 'prove', 'report', 'spec', 'clean'])
    expect(stdout).toContain(`\n  ${command}`);
  expect((await runAssay(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
});

it.each([
  [['verfy'], "error: unknown command 'verfy' (did you mean verify?)\nhint: "],
  [
    ['verify', '--base-url', 'http://127.0.0.1:1', '--only', 'unclosed object', '--only', 'contract/ids,GET /aiagnt'],
    "--only 'GET /aiagnt'",
  ],
  [['verify', '--out', '/proc/assay', '--only', 'contract/description'], '--out DIR'],
  [['verify', '--skip', '*'], "error: no test matches --skip '*'"],
])('%j is exit 2, and names what was meant on standard error', async (words, hint) => {
  const { code, stdout, stderr } = await runAssay(words);
  expect(stderr).toContain(hint);
  expect(stdout).not.toContain('error:');
  expect(code).toBe(2);
});
