import { expect, test } from 'vitest';
import { growingPauses, poll, settled } from '../../domain/context.ts';
import type { Violation } from '../../spec/index.ts';
import { holds, persists } from './polling.ts';

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
