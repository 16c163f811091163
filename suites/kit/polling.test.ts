import { expect, test } from 'vitest';
import { growingPauses, poll, settled } from '../../domain/context.ts';
import type { Violation } from '../../spec/index.ts';
import { holds, persists, sendInLook, takesEffect } from './polling.ts';

const settleMs = 60;
const violation: Violation = {
  code: 'overlap/lost-update',
  message: 'lost',
  expected: 'a',
  received: 'b',
  exchanges: [],
};

const sawLate = (): void => undefined;

/** Finds the violation the first `times` times. */
function violated(times: number): {
  readonly evaluate: () => Promise<Violation | undefined>;
  readonly count: () => number;
} {
  let count = 0;
  return {
    evaluate: () => {
      count += 1;
      return Promise.resolve(count <= times ? violation : undefined);
    },
    count: () => count,
  };
}

test('a violation that disappears within the settle time does not persist', async () => {
  const { evaluate, count } = violated(2);
  expect(await persists({ settleMs, sawLate }, evaluate)).toBeUndefined();
  expect(count()).toBe(3);
});

test('the last look begins after the settle time', async () => {
  const began = Date.now();
  let last = 0;
  const evaluate = (): Promise<Violation> => {
    last = Date.now();
    return Promise.resolve(violation);
  };
  expect(await persists({ settleMs, sawLate }, evaluate)).toBe(violation);
  expect(last - began).toBeGreaterThanOrEqual(settleMs - 1);
});

test('without a settle time there is one look', async () => {
  const { evaluate, count } = violated(5);
  expect(await persists({ settleMs: 0, sawLate }, evaluate)).toBe(violation);
  expect(count()).toBe(1);
});

test.each([
  [0, []],
  [2, []],
  [3, [violation]],
])('a violation that is found %i times in a row is reported from the third time', async (times, expected) => {
  const reported: unknown[] = [];
  const t = { settleMs, sawLate, report: (each: unknown) => reported.push(each) };
  expect(await holds(t, violated(times).evaluate)).toBe(expected.length === 0);
  expect(reported).toEqual(expected);
});

test('settled waits for true, and poll returns what was seen last', async () => {
  let looks = 0;
  const look = (): Promise<boolean> => Promise.resolve((looks += 1) === 3);
  expect(await settled({ settleMs }, look)).toBe(true);
  expect(await settled({ settleMs: 0 }, look)).toBe(false);
  const count = (): Promise<number> => Promise.resolve((looks += 1));
  expect(await poll(count, () => false, [1, 1])).toBe(looks);
  expect([...growingPauses(0)]).toEqual([]);
});

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
    const t = { settleMs, sawLate, report: () => undefined, knowledge: { guarantees: () => true } as never };
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
