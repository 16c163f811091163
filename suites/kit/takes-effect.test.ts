import { expect, test } from 'vitest';
import type { Violation } from '../../spec/index.ts';
import type { Evaluation, TestContext } from './context.ts';
import { holds, takesEffect } from './takes-effect.ts';

const settleMs = 60;
const violation: Violation = {
  code: 'updated-reads-back/member',
  message: 'lost',
  expected: 'a',
  received: 'b',
  exchanges: [],
};

/** The parts of a context that are needed, of a contract without operations. */
const context = (parts: Partial<TestContext>): TestContext =>
  ({
    settleMs,
    contract: { operations: [] },
    knowledge: { guarantees: () => false },
    report: () => undefined,
    recordLateChange: () => undefined,
    ...parts,
  }) as never;

/** Finds the violation in the evaluations (from 0) that `isWrong` names. */
function seen(isWrong: (at: number) => boolean): () => Evaluation {
  let at = -1;
  return () => Promise.resolve(isWrong((at += 1)) ? violation : undefined);
}

test.each<[string, (at: number) => boolean, boolean]>([
  ['is visible at once, and stays visible', () => false, true],
  ['becomes visible late, and stays visible', (at) => at < 2, true],
  ['is visible, then lost', (at) => at > 0, false],
  ['is visible every other time', (at) => at % 2 === 1, false],
  ['becomes visible late, and is lost every third time', (at) => at < 2 || at % 3 === 0, false],
  ['was once not found in a list that others change', (at) => at === 1, true],
  ['never becomes visible', () => true, false],
])('a change that %s', async (_title, isWrong, expected) => {
  const reported: Violation[] = [];
  const late: unknown[] = [];
  const t = context({ report: (each) => void reported.push(each), recordLateChange: (each) => void late.push(each) });
  expect(await takesEffect(t, seen(isWrong))).toBe(expected);
  expect(reported).toHaveLength(expected ? 0 : 1);
  expect(late).toHaveLength(isWrong(0) && !isWrong(2) ? 1 : 0);
});

test('the other form may lag until the settle time is over, and not longer', async () => {
  const operation = { forms: [{ name: '/api' }, { name: '/api/v1' }] } as never;
  const forms = async (lagMs: number): Promise<{ readonly holds: boolean; readonly used: ReadonlySet<string> }> => {
    const used = new Set<string>();
    const began = Date.now();
    const t = context({
      knowledge: { guarantees: () => true } as never,
      sendQuietly: (_, request) => Promise.resolve({ form: request?.form?.name ?? '/api' } as never),
    });
    const outcome = await takesEffect(t, async (given) => {
      const { form: name } = await given.sendQuietly(operation);
      used.add(name);
      return name === '/api' || Date.now() - began > lagMs ? undefined : violation;
    });
    return { holds: outcome, used };
  };
  expect(await forms(settleMs / 2)).toEqual({ holds: true, used: new Set(['/api', '/api/v1']) });
  expect((await forms(10_000)).holds).toBe(false);
});

test.each([
  [2, true],
  [3, false],
])('a violation that is found %i times in a row is reported from the third time', async (times, expected) => {
  const reported: Violation[] = [];
  const t = context({ report: (each) => void reported.push(each) });
  expect(
    await holds(
      t,
      seen((at) => at < times),
    ),
  ).toBe(expected);
  expect(reported).toEqual(expected ? [] : [violation]);
});

const contract = {
  operations: [
    { id: 'PUT /a', method: 'PUT' },
    { id: 'GET /a', method: 'GET' },
  ],
};

test.each([
  ['that the other form does not show is attributed to the operation that reads', 3, 'GET /a'],
  ['that both forms show is attributed to the operation that made the change', 4, 'PUT /a'],
])('a violation %s', async (_title, times, expected) => {
  const reported: Violation[] = [];
  const [update] = contract.operations;
  const found = { ...violation, operation: update, exchanges: [{ operation: 'GET /a' }] } as never;
  const t = context({
    contract: contract as never,
    knowledge: { guarantees: () => true } as never,
    report: (each) => void reported.push(each),
  });
  let at = 0;
  await holds(t, () => Promise.resolve((at += 1) <= times ? found : undefined));
  expect(reported[0]?.operation?.id).toBe(expected);
});
