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

const nothing = (): void => undefined;
const recordLateChange = nothing;

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

test('a change counts as late until the last look that missed it began, not while that look lasted', async () => {
  const { evaluate } = violated(1);
  const late: number[] = [];
  const slow = (): Evaluation => sleep(50).then(evaluate);
  expect(await persists({ settleMs, recordLateChange: ({ ms }) => void late.push(ms) }, slow)).toBeUndefined();
  expect(late).toEqual([expect.toSatisfy((ms: number) => ms < 40)]);
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

/** What is reported of an action whose subject is a number. */
async function reportedBy<S>(
  action: { prepare: () => S; read: (subject: S) => number; act: (subject: S) => unknown },
  t: { readonly settleMs: number; readonly knowledge?: ApiKnowledge } = { settleMs: 20 },
): Promise<readonly Violation[]> {
  const reported: Violation[] = [];
  await changesNothing(
    { ...t, recordLateChange, report: (each) => reported.push(each) },
    {
      prepare: async () => action.prepare(),
      read: async (subject) => action.read(subject),
      act: async (subject) => action.act(subject),
      difference: (before, after) => (before === after ? undefined : violation),
    },
  );
  return reported;
}

test('a change that happens in each attempt is reported, and each attempt has its own subject', async () => {
  const states: number[] = [];
  const reported = await reportedBy({
    prepare: () => states.push(0) - 1,
    read: (subject) => states[subject] ?? 0,
    act: (subject) => (states[subject] = 1),
  });
  expect(states).toEqual([1, 1]);
  expect(reported).toEqual([violation]);
});

test('where changes show late, a change that shows late is reported', async () => {
  const knowledge = {} as ApiKnowledge;
  let changedAt = Infinity;
  await persists({ settleMs: PATIENT_MS, recordLateChange, knowledge }, violated(3).evaluate);
  const late = {
    prepare: () => void (changedAt = Infinity),
    read: () => Number(performance.now() > changedAt),
    act: () => void (changedAt = performance.now() + 1),
  };
  expect(await reportedBy(late, { settleMs, knowledge })).toEqual([violation]);
});

test('a member that changes by itself is not reported', async () => {
  let reads = 0;
  expect(await reportedBy({ prepare: nothing, read: () => (reads += 1), act: nothing })).toEqual([]);
});

test('a member that changes by itself each second is not reported', async () => {
  const read = (): number => Math.floor(performance.now() / 900);
  expect(await reportedBy({ prepare: nothing, read, act: () => sleep(910) })).toEqual([]);
});

test('an earlier change that becomes visible late is not reported', async () => {
  let began = 0;
  const read = (): number => Number(Date.now() - began >= settleMs / 2);
  expect(await reportedBy({ prepare: () => (began = Date.now()), read, act: nothing }, { settleMs })).toEqual([]);
});
