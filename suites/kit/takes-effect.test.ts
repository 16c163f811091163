import { expect, test } from 'vitest';
import type { Violation } from '../../spec/index.ts';
import { sendInLook } from './look.ts';
import { holds, takesEffect } from './takes-effect.ts';

const settleMs = 60;
const violation: Violation = {
  code: 'updated-reads-back/member',
  message: 'lost',
  expected: 'a',
  received: 'b',
  exchanges: [],
};

/** Finds the violation in the looks (from 0) that `isWrong` names. */
function seen(isWrong: (look: number) => boolean): () => Promise<Violation | undefined> {
  let look = -1;
  return () => Promise.resolve(isWrong((look += 1)) ? violation : undefined);
}

test.each<[string, (look: number) => boolean, boolean]>([
  ['is there at once, and stays', () => false, true],
  ['is there late, and stays', (look) => look < 2, true],
  ['is there, then gone', (look) => look > 0, false],
  ['is there every other time', (look) => look % 2 === 1, false],
  ['is there late, and gone every third time', (look) => look < 2 || look % 3 === 0, false],
  ['was once not found in a list that others change', (look) => look === 1, true],
  ['is never there', () => true, false],
])('a change that %s', async (_title, isWrong, expected) => {
  const reported: Violation[] = [];
  const late: unknown[] = [];
  const t = {
    settleMs,
    contract: { operations: [] } as never,
    knowledge: { guarantees: () => false } as never,
    report: (each: Violation) => void reported.push(each),
    sawLate: (each: unknown) => void late.push(each),
  };
  expect(await takesEffect(t, seen(isWrong))).toBe(expected);
  expect(reported).toHaveLength(expected ? 0 : 1);
  expect(late).toHaveLength(isWrong(0) && !isWrong(2) ? 1 : 0);
});

test('the other form may lag until the settle time is over, and not longer', async () => {
  const operation = { forms: [{ name: '/api' }, { name: '/api/v1' }] } as never;
  const forms = async (lagMs: number): Promise<{ readonly holds: boolean; readonly used: ReadonlySet<string> }> => {
    const used = new Set<string>();
    const began = Date.now();
    const t = {
      settleMs,
      sawLate: () => undefined,
      report: () => undefined,
      contract: { operations: [] } as never,
      knowledge: { guarantees: () => true } as never,
    };
    const outcome = await takesEffect(t, async () => {
      let name = '';
      await sendInLook(operation, {}, (request) => {
        name = request.form?.name ?? '/api';
        used.add(name);
        return Promise.resolve({ request: { url: name } } as never);
      });
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
  const t = {
    settleMs,
    contract: { operations: [] } as never,
    knowledge: { guarantees: () => false } as never,
    report: (each: Violation) => void reported.push(each),
    sawLate: () => undefined,
  };
  expect(
    await holds(
      t,
      seen((look) => look < times),
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
  ['that the other form does not show is one by what reads', 3, 'GET /a'],
  ['that both forms show is one by what made the change', 4, 'PUT /a'],
])('a violation %s', async (_title, times, expected) => {
  const reported: Violation[] = [];
  const [update] = contract.operations;
  const found = { ...violation, operation: update, exchanges: [{ operation: 'GET /a' }] } as never;
  const t = {
    settleMs,
    contract: contract as never,
    knowledge: { guarantees: () => true } as never,
    report: (each: Violation) => void reported.push(each),
    sawLate: () => undefined,
  };
  let look = 0;
  await holds(t, () => Promise.resolve((look += 1) <= times ? found : undefined));
  expect(reported[0]?.operation?.id).toBe(expected);
});
