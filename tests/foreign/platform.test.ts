import { expect, test } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { viewOf } from '../../reports/index.ts';
import type { Summary } from '../../reports/index.ts';
import { runBuilt } from '../../suites/testing/built.ts';
import { startMock } from './mock.ts';
import type { MockOptions } from './mock.ts';
import { describePlatform } from './platform.ts';
import { descriptionFile } from '../../spec/testing/description-file.ts';

const TOKEN = 'a-token-of-the-mock';
const file = descriptionFile(describePlatform(40));

interface Run {
  readonly summary: Summary;
  /** Requests that went out without a token. */
  readonly withoutToken: number;
}

/** Runs the suites, with a token, against a mock of the description. */
async function run(
  mocked: MockOptions,
  only: readonly string[],
  { skip = [], runs = 2 }: { readonly skip?: readonly string[]; readonly runs?: number } = {},
): Promise<Run> {
  const mock = await startMock(await loadContract(file), mocked);
  const target = { baseUrl: mock.baseUrl, tokens: { full: TOKEN }, specSource: file };
  const records = await runBuilt({ ...target, allow: ['read', 'reversible'], only, skip, runs }).finally(mock.close);
  const end: RunRecord = { type: 'run-end', durationMs: 1, interrupted: false };
  return { summary: viewOf([...records, end]).summary, withoutToken: mock.withoutToken() };
}

const ids = ({ summary: { findings } }: Run): readonly string[] =>
  findings.map(({ code, operation, grade }) => `${code} ${operation} ${grade}`);

test.each([
  ['demands a token', { token: TOKEN }],
  ['serves anybody', {}],
])(
  'a mock that %s gets the token, and nothing is told that is not so',
  async (_title, access) => {
    // That suite sends requests without a token on purpose.
    const seen = await run({ behaviour: 'static', ...access }, [], { skip: ['contract/authentication'] });
    expect(ids(seen)).toEqual([]);
    expect(seen.withoutToken).toBe(0);
    expect(seen.summary.errors).toEqual([]);
    expect(seen.summary.verdict).toBe('passed');
    // The others change what is not this run's: nothing shows which item a POST made.
    const unreached = seen.summary.operations.filter(
      ({ forms }) => !Object.values(forms).some(({ reached }) => reached),
    );
    expect(unreached.filter(({ effect }) => effect === 'read').map(({ id }) => id)).toEqual([]);
    expect(seen.summary.reach).toEqual({
      reached: seen.summary.operations.length - unreached.length,
      of: seen.summary.operations.length,
    });
  },
  120_000,
);

test(
  'a mock that serves anybody is warned of, since the description names a permission',
  { tags: ['nightly'] },
  async () => {
    const seen = await run({ behaviour: 'static' }, ['contract/authentication']);
    expect(seen.summary.findings.length).toBeGreaterThan(0);
    expect(new Set(seen.summary.findings.map(({ code, grade }) => `${code} ${grade}`))).toEqual(
      new Set(['authentication/accepted inferred']),
    );
  },
);

test.each([
  ['token', 'GET /area1/statistics', 'valid-request-served/token-refused documented'],
  ['absent', 'GET /area1/statistics', 'valid-request-served/not-there documented'],
] as const)('a described operation that is %s is one finding, at that operation', async (name, operation, found) => {
  const [code, grade] = found.split(' ');
  const seen = await run({ behaviour: 'static', token: TOKEN, defect: { name, operation } }, ['contract/operations']);
  expect(new Set(ids(seen))).toEqual(new Set([`${code} ${operation} ${grade}`]));
});

test('an id that names nothing may be unknown', async () => {
  const defect = { name: 'absent', operation: 'GET /area1/{id}' } as const;
  const seen = await run({ behaviour: 'static', token: TOKEN, defect }, ['contract/operations']);
  expect(ids(seen)).toEqual([]);
});

test('where every valid request is refused, nothing has passed and nothing is concluded', async () => {
  const seen = await run({ behaviour: 'static', token: 'another token' }, []);
  expect(seen.summary.totals.passed).toBe(0);
  expect(seen.summary.requirements.filter(({ verdict }) => verdict === 'verified')).toEqual([]);
  expect(seen.summary.reach.reached).toBe(0);
  expect(seen.summary.verdict).not.toBe('passed');
}, 120_000);

test(
  'the limit of requests leaves out no test of a deployment with items',
  { tags: ['nightly'], timeout: 60_000 },
  async () => {
    const { summary } = await run({ behaviour: 'deployed', token: TOKEN }, ['POST /area0', 'PUT /area0/{id}'], {
      runs: 100,
    });
    expect(summary.verdict).toBe('passed');
    expect(summary.totals.passed).toBeGreaterThan(20);
    expect(summary.skips).toEqual([]);
  },
);
