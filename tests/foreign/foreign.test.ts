import { expect, test } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { TestRecord } from '../../spec/index.ts';
import { runBuilt, testsOf } from '../../suites/testing/built.ts';
import type { SuiteRunOptions } from '../../suites/index.ts';
import { describeOddly } from './describe.ts';
import type { Described } from './describe.ts';
import { startMock } from './mock.ts';
import type { Behaviour } from './mock.ts';
import { descriptionFile } from '../../spec/testing/description-file.ts';

const TOKEN = 'a-token-of-the-mock';

interface Run {
  readonly tests: readonly TestRecord[];
  readonly requests: ReadonlyMap<string, number>;
}

async function run(
  described: Described,
  behaviour: Behaviour,
  change: Partial<SuiteRunOptions>,
  servesAnybody = false,
): Promise<Run> {
  const specSource = descriptionFile(describeOddly(described));
  const token = described.auth === 'bearer' ? TOKEN : undefined;
  const mock = await startMock(await loadContract(specSource), {
    behaviour,
    ...(token === undefined || servesAnybody ? {} : { token }),
  });
  const target = { baseUrl: mock.baseUrl, tokens: token === undefined ? {} : { full: token }, specSource };
  const records = await runBuilt({ ...target, allow: ['read', 'reversible'], runs: 2, ...change }).finally(mock.close);
  return { tests: testsOf(records), requests: mock.requests };
}

const told = ({ tests }: Run): readonly string[] =>
  tests.flatMap((each) =>
    each.verdict === 'error'
      ? [`${each.name}: ${each.reason ?? ''}`]
      : each.findings.map((finding) => `${finding.check}: ${finding.message}`),
  );

for (const [dialect, behaviour, auth, tags] of [
  ['openapi-3.0', 'random', 'bearer', []],
  ['openapi-3.1', 'stateful', 'silent', ['nightly']],
  ['swagger-2', 'strict', 'bearer', ['nightly']],
] as const)
  test(
    `${dialect}, by a ${behaviour} mock, ${auth}: nothing is told that is not so`,
    { timeout: 300_000, tags: [...tags] },
    async () => {
      const seen = await run({ dialect, operations: 10, auth }, behaviour, {});
      expect(told(seen)).toEqual([]);
      expect(seen.tests.filter((each) => each.verdict === 'passed').length).toBeGreaterThan(80);
    },
  );

test('an operation that serves anybody contradicts the security of its description', async () => {
  const only = ['contract/authentication & GET /things0'];
  const seen = await run({ dialect: 'openapi-3.0', operations: 10, auth: 'bearer' }, 'static', { only }, true);
  const found = seen.tests.flatMap(({ findings }) => findings.map(({ code, grade }) => `${code} ${grade}`));
  expect(new Set(found)).toEqual(new Set(['authentication/accepted documented']));
});

test('what cannot be undone is not done, unless that is allowed', async () => {
  const seen = await run({ dialect: 'openapi-3.0', operations: 10, auth: 'bearer' }, 'static', {
    only: ['contract/operations'],
  });
  expect(seen.requests.get('POST /things0/{id}/run')).toBeUndefined();
  expect(seen.tests.find((each) => each.operation === 'POST /things0/{id}/run')?.reason).toMatch(
    /irreversible is not allowed/,
  );
});

test('no operation gets more requests than it may', async () => {
  const seen = await run({ dialect: 'openapi-3.0', operations: 10, auth: 'bearer' }, 'static', {
    only: ['contract/parameters'],
    maxRequests: 12,
  });
  expect(
    Math.max(...[...seen.requests.entries()].filter(([id]) => id.startsWith('GET')).map(([, count]) => count)),
  ).toBeLessThanOrEqual(12);
  expect(seen.tests.some((each) => /--max-requests/.test(each.reason ?? ''))).toBe(true);
});

test('twelve hundred operations are declared, and end when the time is over', { tags: ['nightly'] }, async () => {
  const seen = await run({ dialect: 'openapi-3.0', operations: 1200, auth: 'bearer' }, 'static', {
    only: ['contract/operations'],
    maxTimeMs: 1,
  });
  expect(seen.tests.length).toBeGreaterThan(1200);
  expect(told(seen)).toEqual([]);
});
