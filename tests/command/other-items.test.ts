import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { emptyDirectory, runAssay, serve } from './run-assay.ts';

it(
  'a deletion that removes items of other tests is found, also where its own test passes beside them',
  { timeout: 120_000 },
  async () => {
    const faulty = await serve(['--fault', 'leak-to-neighbour DELETE /accesscontrolpolicies/{id}']);
    onTestFinished(async () => void (await faulty.stop()));
    const cwd = emptyDirectory();
    const env = { ...faulty.env, ASSAY_BASE_URL: faulty.baseUrl };
    const words = [
      'verify',
      '--allow',
      'all',
      '--seed',
      '160',
      '--runs',
      '2',
      '--only',
      'state/overlap & *accesscontrolpolicies*,state/lifecycle & *accesscontrolpolicies*',
    ];
    const { code } = await runAssay(words, { cwd, env });
    expect(code).toBe(1);
    const summary = JSON.parse(readFileSync(join(cwd, 'assay-report/summary.json'), 'utf8')) as {
      readonly findings: readonly { readonly code: string }[];
    };
    expect(summary.findings.map((each) => each.code)).toContain('deleted-is-gone/other-item');
  },
);
