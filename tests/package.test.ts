import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './architecture/files.ts';
import { loadContract } from '../spec/index.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';

const run = promisify(execFile);
const MINUTES = 60_000;

const MOST_BYTES = 1_000_000;

interface Packed {
  readonly size: number;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

let packed: Packed;
let consumer: string;

beforeAll(async () => {
  const destination = emptyDirectory();
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination], {
    cwd: ROOT,
    maxBuffer: 1e8,
  });
  const listed = JSON.parse(stdout) as readonly Packed[] | Readonly<Record<string, Packed>>;
  packed = Object.values(listed)[0] as Packed;
  consumer = emptyDirectory();
  writeFileSync(join(consumer, 'package.json'), '{"name": "consumer", "private": true}');
  await run(
    'npm',
    [
      'install',
      '--engine-strict',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--save-dev',
      join(destination, packed.filename),
    ],
    { cwd: consumer, maxBuffer: 1e8 },
  );
}, 5 * MINUTES);

describe('the package', () => {
  it('contains what runs, and no tests, sources or reports', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'package.json',
        'README.md',
        'LICENSE',
        'action.yml',
        'dist/cli/main.js',
        'dist/spec/openapi.contract.json',
        'dist/spec/openapi.yaml',
        'dist/spec/requirements.yaml',
      ]),
    );
    expect(paths.filter((path) => /\.test\.|\/testing\/|(?<!\.d)\.ts$|assay-report|\.env/u.test(path))).toEqual([]);
  });

  it('contains the contract that its description gives', async () => {
    const built = readFileSync(join(ROOT, 'dist/spec/openapi.contract.json'), 'utf8');
    expect(JSON.parse(built)).toEqual(JSON.parse(JSON.stringify(await loadContract())));
  });

  it('is small', () => {
    expect(packed.size).toBeLessThan(MOST_BYTES);
  });

  it('installs less than 100 MB, and names what an option needs besides', async () => {
    const { stdout } = await run('du', ['-sk', join(consumer, 'node_modules')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(100_000);
    const command = join(consumer, 'node_modules/.bin/assay');
    await expect(
      run(process.execPath, [command, 'load', '--prometheus', '0'], { cwd: consumer }),
    ).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/npm install --save-dev @opentelemetry\/api@\d/u) as string,
    });
    await expect(run(process.execPath, [command, 'serve', '--data', 'x'], { cwd: consumer })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/npm install --save-dev lmdb@\d/u) as string,
    });
  });

  it('has the types that a configuration needs', async () => {
    const settings = "{ baseUrl: 'https://data.example.com', report: ['html'] }";
    const code = `import { defineConfig } from 'assay';\nexport default defineConfig(${settings});\n`;
    writeFileSync(join(consumer, 'assay.config.mts'), code);
    const words = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, ...words, '--skipLibCheck', 'assay.config.mts'], { cwd: consumer });
    writeFileSync(join(consumer, 'assay.config.mts'), code.replace('html', 'htm'));
    await expect(
      run(process.execPath, [compiler, ...words, '--skipLibCheck', 'assay.config.mts'], { cwd: consumer }),
    ).rejects.toThrow();
    rmSync(join(consumer, 'assay.config.mts'));
  });

  it('can be run by its command', () => {
    expect(readFileSync(join(consumer, 'node_modules/.bin/assay'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/u);
  });

  it(
    'verifies the embedded service from an empty folder, beside whatever tests the consumer has',
    async () => {
      writeFileSync(join(consumer, 'vitest.config.js'), 'throw new Error("this is the consumer\'s, not ours");');
      const { stdout } = await run('npx', ['assay', 'verify', '--only', 'GET /aijobskills', '--report', 'html,junit'], {
        cwd: consumer,
        env: { ...process.env, VITEST: undefined, NODE_OPTIONS: '' },
      });
      expect(stdout).toContain('exit code 0');
      expect(JSON.parse(readFileSync(join(consumer, 'assay-report/summary.json'), 'utf8'))).toMatchObject({
        verdict: 'passed',
        target: { embedded: true },
      });
    },
    3 * MINUTES,
  );
});
