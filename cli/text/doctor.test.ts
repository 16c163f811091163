import { expect, it } from 'vitest';
import type { Checkup } from '../target/checkup.ts';
import { checkupLines } from './doctor.ts';

const expired = { identity: 'expired', name: 'expired token', given: true, statuses: {} } as const;
const withIdentities = (identities: NonNullable<Checkup['diagnosis']>['identities']): Checkup => ({
  baseUrl: 'http://a.test',
  spec: { title: 'A', operations: 1 },
  exitCode: 2,
  diagnosis: { latencyMs: 1, identities },
  effects: { allowed: ['read'], notAllowed: [] },
  plan: { tests: 0, operations: 0, skipped: {}, lacking: {}, requests: 0 },
  missing: [],
});

it('does not say that an expired token works', () => {
  const lines = checkupLines(withIdentities([{ ...expired, works: true }]));
  expect(lines).toContainEqual(expect.stringContaining('expired token: refused, as expected'));
});

it('tells the problem of a token once, with the option that sets another one', () => {
  const problem = 'It has not expired: GET /a answers 200, not 401.';
  const lines = checkupLines(withIdentities([{ ...expired, works: false, problem }]));
  expect(lines.filter((line) => line.includes(problem))).toHaveLength(1);
  expect(lines).toContain('  hint: set another one with --expired-token / ASSAY_EXPIRED_TOKEN');
  expect(lines).toContainEqual(expect.stringContaining('a run would include no tests'));
});
