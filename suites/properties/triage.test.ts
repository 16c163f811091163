import { expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { Violation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import type { Property } from './run-property.ts';
import { Triage } from './triage.ts';
import type { CaseViolation } from './violation.ts';

const contract = await loadContract();
const operation = contract.operation('GET /aijob') ?? expect.fail('the description has no list of jobs');

const plain = { path: {}, query: {}, headers: {} };
const evidence = { message: 'wrong', expected: 'a', received: 'b', exchanges: [], isFinal: true as const };
const violation: CaseViolation = { code: 'content-type-offered/not-as-asked', operation, ...evidence };

it.each([
  ['every request shows, is shown by the plain one', (): boolean => true, ['wrong']],
  [
    'only some requests show, is intermittent',
    (time: number): boolean => time !== 2,
    [expect.stringContaining('intermittently')],
  ],
])('what %s', async (_title, fails, expected) => {
  const reported: Violation[] = [];
  const session = { contract, options: {}, time: { leftMs: () => 60_000, over: () => false } };
  const t = { session, contract, report: (each: Violation) => reported.push(each) } as unknown as TestContext;
  let times = 0;
  const test: Property['test'] = () => Promise.resolve(fails((times += 1)) ? [violation] : []);
  const triage = new Triage(t, { operation, examples: [], plain, test }, true);
  await triage.add([{ value: { form: 0, request: { ...plain, query: { take: 2 } } }, violation }]);
  expect(reported.map(({ message }) => message)).toEqual(expected);
});

it('names the one parameter that matters, where no time is left to shrink', async () => {
  const reported: Violation[] = [];
  const session = { contract, options: {}, time: { leftMs: () => 0, over: () => true } };
  const t = { session, contract, report: (each: Violation) => reported.push(each) } as unknown as TestContext;
  const test: Property['test'] = ({ request }) => Promise.resolve(request.query['b'] === 2 ? [violation] : []);
  const shrinker = { simplest: plain, accepts: () => true, shrink: () => [] };
  const triage = new Triage(t, { operation, examples: [], plain, test, shrinker }, true);
  await triage.add([{ value: { form: 0, request: { ...plain, query: { a: 1, b: 2, c: 3, d: 4 } } }, violation }]);
  expect(reported.map(({ message }) => message)).toEqual(['wrong (request: ?b = 2)']);
});
