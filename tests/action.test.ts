import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, it } from 'vitest';
import { FORMAT_NAMES } from '../reports/index.ts';
import { emptyDirectory } from './command/run-assay.ts';
import { ROOT } from './architecture/files.ts';

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};
const step = action.runs.steps.find(({ id }) => id === 'run');

/** The step as a runner would run it: inputs in its environment, outputs in a file. */
function runStep(
  inputs: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly outputs: string }> {
  const cwd = emptyDirectory();
  const outputs = join(cwd, 'outputs');
  writeFileSync(outputs, '');
  const value = (text: string): string =>
    text.replaceAll(
      /\$\{\{ inputs\.([\w-]+) \}\}/gu,
      (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? '',
    );
  const given = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, text]) => [name, value(text)]));
  const env = {
    PATH: process.env['PATH'],
    HOME: cwd,
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_OUTPUT: outputs,
    GITHUB_STEP_SUMMARY: join(cwd, 'step-summary.md'),
    GITHUB_ACTIONS: 'true',
    CI: 'true',
    ...given,
  };
  return new Promise((resolve) => {
    const child = execFile('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? 'exit 99'], { cwd, env }, () =>
      resolve({ code: child.exitCode ?? -1, outputs: readFileSync(outputs, 'utf8') }),
    );
  });
}

it('passes the exit code on and outputs the path of the summary', async () => {
  expect(await runStep({ args: '--only authentication --skip state' })).toEqual({
    code: 0,
    outputs: 'exit-code=0\nsummary=assay-report/summary.json\nsarif=assay-report/findings.sarif\n',
  });
});

it('uploads no findings of a run without a verdict', async () => {
  expect(await runStep({ 'base-url': 'http://127.0.0.1:1', token: 'x' })).toEqual({
    code: 3,
    outputs: 'exit-code=3\nsummary=assay-report/summary.json\n',
  });
});

it('uploads no findings of a shard, which has those of its part only', { tags: ['nightly'] }, async () => {
  expect(await runStep({ args: '--only authentication --skip state --shard 1/2' })).toEqual({
    code: 0,
    outputs: 'exit-code=0\nsummary=assay-report/summary.json\n',
  });
});

it('refuses an empty URL, as of a secret that is missing', async () => {
  expect((await runStep({ 'base-url': '', args: '--only authentication' })).code).toBe(2);
});

it('cleans up, with the inputs that the document shows', async () => {
  const section = readFileSync(join(ROOT, 'docs/getting-started-in-ci.md'), 'utf8').split('## Cancelled jobs')[1] ?? '';
  const [shown] = parse(/```yaml\n(.*?)```/su.exec(section)?.[1] ?? '') as readonly { readonly with: object }[];
  const inputs = Object.fromEntries(Object.entries(shown?.with ?? {}).map(([name, value]) => [name, String(value)]));
  expect(inputs['command']).toBe('clean');
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
  expect((await runStep({ ...inputs, token: 'x' })).code).toBe(0);
});

it('evaluates nothing in its inputs', async () => {
  const { code, outputs } = await runStep({ args: '--only $(touch${IFS}pwned);exit', 'base-url': 'nonsense' });
  expect(code).toBe(2);
  expect(outputs).toContain('exit-code=2');
});

it('takes arguments on several lines, with quotes', async () => {
  const args = '--only "GET /aijobskills"\n  --skip state,properties\n--seed 7\n';
  expect((await runStep({ args })).code).toBe(0);
});

it('uses existing formats', () => {
  expect(FORMAT_NAMES).toEqual(expect.arrayContaining(action.inputs['report']?.default?.split(',') ?? []));
});
