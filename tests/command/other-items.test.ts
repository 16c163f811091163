import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyDirectory, runAssay, serveFaulty, summaryIn } from './run-assay.ts';

it(
  'a deletion that removes items of other tests is found, also where its own test passes beside them',
  { timeout: 120_000, tags: ['nightly'] },
  async () => {
    const faulty = await serveFaulty('leak-to-neighbour DELETE /accesscontrolpolicies/{id}');
    const cwd = emptyDirectory();
    const env = { ...faulty.env, ASSAY_BASE_URL: faulty.baseUrl };
    const only = 'state/overlap & *accesscontrolpolicies*,state/lifecycle & *accesscontrolpolicies*';
    const words = ['verify', '--allow', 'all', '--seed', '160', '--runs', '2', '--only', only];
    const { code } = await runAssay(words, { cwd, env });
    expect(code).toBe(1);
    expect(summaryIn(join(cwd, 'assay-report')).findings.map((each) => each.code)).toContain(
      'deleted-is-gone/other-item',
    );
  },
);
