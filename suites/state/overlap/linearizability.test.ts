import { describe, expect, it } from 'vitest';
import { linearize } from './linearizability.ts';
import type { Call, Sequential } from './linearizability.ts';

type Op = { readonly write: number } | 'read';

/** One number that is written and read; it begins as 0. */
const register: Sequential<number, Op, number> = {
  initial: [0],
  step: (state, request, answer) =>
    request === 'read'
      ? answer === undefined || answer === state
        ? [state]
        : []
      : answer === undefined
        ? [state, request.write]
        : [request.write],
  key: String,
  reads: (request) => request === 'read',
};

const write = (value: number, invoked: number, returned: number): Call<Op, number> => ({
  request: { write: value },
  invoked,
  returned,
  answer: value,
});
const read = (value: number, invoked: number, returned: number): Call<Op, number> => ({
  request: 'read',
  invoked,
  returned,
  answer: value,
});
const lost = (value: number, invoked: number): Call<Op, number> => ({
  request: { write: value },
  invoked,
  returned: Infinity,
});

describe('linearize', () => {
  it.each([
    ['nothing', []],
    ['one call after another', [write(1, 0, 1), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7)]],
    ['a read that overlaps with a write and sees the old value', [write(1, 0, 10), read(0, 2, 3)]],
    ['a read that overlaps with a write and sees the new value', [write(1, 0, 10), read(1, 2, 3)]],
    [
      'two writes that overlap, seen in the order that they did not begin in',
      [write(1, 0, 10), write(2, 1, 9), read(1, 11, 12)],
    ],
    ['calls that touch at one moment', [write(1, 0, 5), read(0, 5, 6)]],
    ['a write without an answer that took effect late', [lost(1, 0), read(0, 2, 3), read(1, 4, 5)]],
    ['a write without an answer that never took effect', [lost(1, 0), read(0, 2, 3)]],
  ])('explains %s', (_, calls) => {
    const order = linearize(calls, register);
    expect([...(order ?? [])].sort((a, b) => a - b)).toEqual(calls.map((_call, at) => at));
  });

  it.each([
    ['a stale read', [write(1, 0, 1), read(0, 2, 3)]],
    ['a lost write', [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)]],
    ['a value that nobody wrote', [write(1, 0, 10), read(3, 2, 3)]],
    ['reads that go back', [write(1, 0, 10), read(1, 1, 2), read(0, 3, 4)]],
    [
      'readers that do not agree about the order of two writes',
      [write(1, 0, 10), write(2, 0, 10), read(1, 11, 12), read(2, 13, 14), read(1, 15, 16)],
    ],
  ])('does not explain %s', (_, calls) => {
    expect(linearize(calls, register)).toBeUndefined();
  });

  it('agrees with trying every order, over many small histories', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const answers = { yes: 0, no: 0 };
    for (let round = 0; round < 400; round += 1) {
      const calls = Array.from({ length: 5 }, (): Call<Op, number> => {
        const invoked = random(12);
        const returned = invoked + 1 + random(8);
        return random(2) === 0 ? write(random(3), invoked, returned) : read(random(3), invoked, returned);
      });
      const found = linearize(calls, register) !== undefined;
      expect(found).toBe(byBruteForce(calls));
      answers[found ? 'yes' : 'no'] += 1;
    }
    expect(Math.min(answers.yes, answers.no)).toBeGreaterThan(50);
  });
});

function byBruteForce(calls: readonly Call<Op, number>[], state = 0): boolean {
  if (calls.length === 0) return true;
  return calls.some((call, at) => {
    const rest = calls.filter((_, other) => other !== at);
    if (rest.some((other) => other.returned < call.invoked)) return false;
    return register.step(state, call.request, call.answer).some((after) => byBruteForce(rest, after));
  });
}
