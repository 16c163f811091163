import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { growingPauses, poll, settled } from '../../domain/context.ts';
import type { ApiKnowledge } from '../../domain/index.ts';
import type { Violation } from '../../spec/index.ts';
import { changesNothing, persists } from './polling.ts';
import type { Evaluation } from './context.ts';

const settleMs = 60;
/** For what ends by itself sooner, also on a busy machine. */
const PATIENT_MS = 10_000;
const violation: Violation = {
  code: 'overlap/lost-update',
  message: 'lost',
  expected: 'a',
  received: 'b',
  exchanges: [],
};

const recordLateChange = (): void => undefined;

/** Finds the violation the first `times` times. */
function violated(times: number): { readonly evaluate: () => Evaluation; readonly count: () => number } {
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
  expect(await persists({ settleMs, recordLateChange }, evaluate)).toBeUndefined();
  expect(count()).toBe(3);
});

test('the last evaluation begins after the settle time', async () => {
  const began = Date.now();
  let last = 0;
  const evaluate = (): Promise<Violation> => {
    last = Date.now();
    return Promise.resolve(violation);
  };
  expect(await persists({ settleMs, recordLateChange }, evaluate)).toBe(violation);
  expect(last - began).toBeGreaterThanOrEqual(settleMs - 1);
});

test('without a settle time there is one evaluation', async () => {
  const { evaluate, count } = violated(5);
  expect(await persists({ settleMs: 0, recordLateChange }, evaluate)).toBe(violation);
  expect(count()).toBe(1);
});

test('settled waits for true, and poll returns what was seen last', async () => {
  let calls = 0;
  const check = (): Promise<boolean> => Promise.resolve((calls += 1) === 3);
  expect(await settled({ settleMs: PATIENT_MS }, check)).toBe(true);
  expect(await settled({ settleMs: 0 }, check)).toBe(false);
  const count = (): Promise<number> => Promise.resolve((calls += 1));
  expect(await poll(count, () => false, [1, 1])).toBe(calls);
  expect([...growingPauses(0)]).toEqual([]);
});

const differs = (before: number, after: number): Violation | undefined => (before === after ? undefined : violation);

test('a change that happens in each attempt is reported, and each attempt has its own subject', async () => {
  const states: number[] = [];
  const reported: Violation[] = [];
  await changesNothing(
    { settleMs: 20, recordLateChange, report: (each) => reported.push(each) },
    {
      prepare: () => Promise.resolve(states.push(0) - 1),
      read: (subject) => Promise.resolve(states[subject] ?? 0),
      act: (subject) => Promise.resolve((states[subject] = 1)),
      difference: differs,
    },
  );
  expect(states).toEqual([1, 1]);
  expect(reported).toEqual([violation]);
});

test('where changes show late, a change that shows late is reported', async () => {
  const reported: Violation[] = [];
  const knowledge = {} as ApiKnowledge;
  let changedAt = Infinity;
  await persists({ settleMs: PATIENT_MS, recordLateChange, knowledge }, violated(3).evaluate);
  await changesNothing(
    { settleMs, recordLateChange, knowledge, report: (each) => reported.push(each) },
    {
      prepare: async () => void (changedAt = Infinity),
      read: async () => Number(performance.now() > changedAt),
      act: async () => void (changedAt = performance.now() + 1),
      difference: differs,
    },
  );
  expect(reported).toEqual([violation]);
});

test('a member that changes by itself is not reported', async () => {
  const reported: Violation[] = [];
  let reads = 0;
  await changesNothing(
    { settleMs: 20, recordLateChange, report: (each) => reported.push(each) },
    {
      prepare: () => Promise.resolve(),
      read: () => Promise.resolve((reads += 1)),
      act: () => Promise.resolve(),
      difference: differs,
    },
  );
  expect(reported).toEqual([]);
});

test('a member that changes by itself each second is not reported', async () => {
  const reported: Violation[] = [];
  await changesNothing(
    { settleMs: 20, recordLateChange, report: (each) => reported.push(each) },
    {
      prepare: () => Promise.resolve(),
      read: () => Promise.resolve(Math.floor(performance.now() / 900)),
      act: () => sleep(910),
      difference: differs,
    },
  );
  expect(reported).toEqual([]);
});

test('an earlier change that becomes visible late is not reported', async () => {
  const reported: Violation[] = [];
  let began = 0;
  await changesNothing(
    { settleMs, recordLateChange, report: (each) => reported.push(each) },
    {
      prepare: () => Promise.resolve((began = Date.now())),
      read: () => Promise.resolve(Number(Date.now() - began >= settleMs / 2)),
      act: () => Promise.resolve(),
      difference: differs,
    },
  );
  expect(reported).toEqual([]);
});
