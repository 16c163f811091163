import { expect, test } from 'vitest';
import type { Violation } from '../../spec/index.ts';
import { sendInLook } from './look.ts';
import { takesEffect } from './takes-effect.ts';

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
