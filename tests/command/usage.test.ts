import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyDirectory, runAssay } from './run-assay.ts';

describe('help and version', () => {
  it('lists the commands', async () => {
    const { code, stdout } = await runAssay(['--help']);
    expect(code).toBe(0);
    for (const command of ['verify', 'load', 'capacity', 'serve', 'prove', 'report', 'spec', 'clean'])
      expect(stdout).toContain(`\n  ${command}`);
  });

  it.each(['verify', 'load', 'capacity', 'serve', 'prove', 'report', 'clean', 'spec list', 'spec lint', 'spec diff'])(
    'describes %s',
    async (command) => {
      const { code, stdout } = await runAssay([...command.split(' '), '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Examples:');
      expect(stdout).not.toMatch(/preset|default: ,/u);
    },
  );

  it('prints its version', async () => {
    expect((await runAssay(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
  });
});

describe('wrong usage', () => {
  it('is reported all at once, with hints, before anything is sent', async () => {
    const cwd = emptyDirectory();
    writeFileSync(join(cwd, 'assay.config.json'), '{"sede": 1}');
    const words = [
      'verify',
      '--base-url',
      'data.example.com',
      '--allow',
      'raed',
      '--runs',
      'many',
      '--shard',
      '3/2',
      '--sed',
      '--report',
      'pdf',
    ];
    const { code, stderr } = await runAssay(words, { cwd, env: { ASSAY_SETTLE: 'soon' } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: 8 problems; no requests were sent:\n  \S.*\n {4}hint: /u);
    for (const thing of [
      '--base-url',
      'https://data.example.com',
      'did you mean read?',
      '--runs',
      '--shard',
      '--sed',
      'did you mean --seed',
      'pdf',
      'ASSAY_SETTLE',
      'sede',
      'did you mean seed?',
    ]) {
      expect(stderr).toContain(thing);
    }
  });

  it.each([
    [['verfy'], "error: unknown command 'verfy' (did you mean verify?)\nhint: "],
    [['verfy', '--help'], "error: unknown command 'verfy'"],
    [['help', 'verfy'], "error: unknown command 'verfy'"],
    [['explain'], 'assay explain --help'],
    [['verify', '--url', 'http://127.0.0.1:1'], '--base-url'],
    [['verify', '--bse-url', 'http://127.0.0.1:1'], '--base-url'],
    [['serve', '--falt', 'x'], '--fault'],
    [['verify', '--token'], '--token'],
    [['verify', 'paging'], '--only'],
    [['verify', '--path', '0:1'], '--seed'],
    [['verify', '--base-url', 'http://127.0.0.1:1', '--only', 'contract/ids,GET /aiagnt'], "--only 'GET /aiagnt'"],
    [
      ['verify', '--base-url', 'http://127.0.0.1:1', '--only', 'unclosed object', '--only', 'unclosd object'],
      "--only 'unclosd object'",
    ],
    [['verify', '--update-baseline'], '--baseline'],
    [['verify', '--out', '/proc/assay', '--only', 'contract/description'], '--out DIR'],
    [['verify', '--config', 'none.json'], 'none.json'],
    [['verify', '--skip', '*'], "error: no test matches --skip '*'"],
    [['load', '--engine', 'closed', '--rate', '10'], '--max-rate'],
    [['capacity'], 'scenario'],
    [['spec', 'lnt'], 'lint'],
  ])('%j names what was meant', async (words, hint) => {
    const { code, stderr } = await runAssay(words);
    expect(stderr).toContain(hint);
    expect(code).toBe(2);
  });

  it('never shows a token', async () => {
    const secret = 'tok-1234567890 with-space';
    const { stdout, stderr } = await runAssay(['verify', '--token', secret, '--debug', '--runs', 'x']);
    expect(stdout + stderr).not.toContain('1234567890');
  });
});
