import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { emptyDirectory, serve } from './command/run-assay.ts';
import type { Served } from './command/run-assay.ts';
import { ROOT } from './architecture/files.ts';

const run = promisify(execFile);
const MINUTES = 60_000;
const text = readFileSync(join(ROOT, 'docs/getting-started-in-ci.md'), 'utf8');

/** The first block of a section of the document. */
function blockOf(section: string): string {
  return new RegExp(`^### ${section}\n+\`\`\`\\w+\n(.*?)^\`\`\``, 'msu').exec(text)?.[1] ?? '';
}

/** The line that Jenkins gives to sh: the text between the quotes. */
const jenkins = /\bsh '([^']+)'/u.exec(blockOf('Jenkins'))?.[1] ?? '';

/** The line of Azure, whose variables are replaced before the shell sees it. */
const azure = (variables: Readonly<Record<string, string>>): string => {
  const { steps } = parse(blockOf('Azure Pipelines')) as { readonly steps: readonly { readonly script?: string }[] };
  const script = steps.find((step) => step.script !== undefined)?.script ?? '';
  return script.replaceAll(/\$\((\w+)\)/gu, (_, name: string) => variables[name] ?? '');
};

let service: Served;
let tarball = '';
beforeAll(async () => {
  service = await serve();
  const destination = emptyDirectory();
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const { stdout } = await run('npm', words, { cwd: ROOT, maxBuffer: 1e8 });
  const listed = JSON.parse(stdout) as readonly { readonly filename: string }[];
  tarball = join(destination, Object.values(listed)[0]?.filename ?? '');
}, 2 * MINUTES);
afterAll(() => service.stop());

// Both install the package, which tests/package.test.ts does with each `npm test`.
for (const system of ['Jenkins', 'Azure Pipelines'])
  it(`the shell line for ${system} works as shown`, { timeout: 4 * MINUTES, tags: ['nightly'] }, async () => {
    const cwd = emptyDirectory();
    writeFileSync(join(cwd, 'assay-baseline.json'), '{"assayBaseline": 2, "entries": []}');
    const line =
      system === 'Jenkins' ? jenkins : azure({ AssayPackage: tarball, TestUrl: service.baseUrl, AssayToken: '' });
    expect(line).toContain('assay verify');
    const given = {
      ASSAY_PACKAGE: tarball,
      TEST_URL: service.baseUrl,
      ASSAY_ONLY: 'GET /aijobskills',
      ASSAY_SKIP: 'properties,state',
    };
    const env = {
      ...process.env,
      ...service.env,
      ...given,
      VITEST: undefined,
      NODE_OPTIONS: '',
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    };
    const { stdout } = await run('sh', ['-e', '-c', line], { cwd, env, maxBuffer: 1e8 });
    expect(stdout).toContain('exit code 0');
    for (const file of ['junit.xml', 'report.html'])
      expect(existsSync(join(cwd, 'assay-report', file)), file).toBe(true);
  });
