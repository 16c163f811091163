import { array, assert, boolean, integer, nat, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearize } from './linearizability.ts';
import type { TimedCall, Sequential } from './linearizability.ts';

type Op = { readonly write: number } | 'read';

/** A number that is written and read; initially 0. */
const register: Sequential<number, Op, number> = {
  initial: [0],
  step: (state, request, response) =>
    request === 'read'
      ? response === undefined || response === state
        ? [state]
        : []
      : response === undefined
        ? [state, request.write]
        : [request.write],
  key: String,
  reads: (request) => request === 'read',
};

const write = (value: number, invoked: number, returned: number): TimedCall<Op, number> => ({
  request: { write: value },
  invoked,
  returned,
  response: value,
});
const read = (value: number, invoked: number, returned: number): TimedCall<Op, number> => ({
  request: 'read',
  invoked,
  returned,
  response: value,
});
const lost = (value: number, invoked: number): TimedCall<Op, number> => ({
  request: { write: value },
  invoked,
  returned: Infinity,
});

describe('linearize', () => {
  it.each([
    ['nothing', []],
    ['calls that do not overlap', [write(1, 0, 1), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7)]],
    ['a read that overlaps with a write and returns the old value', [write(1, 0, 10), read(0, 2, 3)]],
    ['a read that overlaps with a write and returns the new value', [write(1, 0, 10), read(1, 2, 3)]],
    [
      'overlapping writes that take effect in another order than they began',
      [write(1, 0, 10), write(2, 1, 9), read(1, 11, 12)],
    ],
    ['a call that begins when another one ends', [write(1, 0, 5), read(0, 5, 6)]],
    ['a write without a response that takes effect late', [lost(1, 0), read(0, 2, 3), read(1, 4, 5)]],
    ['a write without a response that never takes effect', [lost(1, 0), read(0, 2, 3)]],
  ])('explains %s', (_, calls) => {
    const order = linearize(calls, register);
    expect([...(order ?? [])].sort((a, b) => a - b)).toEqual(calls.map((_call, at) => at));
  });

  it.each([
    ['a stale read', [write(1, 0, 1), read(0, 2, 3)]],
    ['a lost write', [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)]],
    ['a value that was never written', [write(1, 0, 10), read(3, 2, 3)]],
    ['reads that return the old value after the new one', [write(1, 0, 10), read(1, 1, 2), read(0, 3, 4)]],
    [
      'readers that see two writes in different orders',
      [write(1, 0, 10), write(2, 0, 10), read(1, 11, 12), read(2, 13, 14), read(1, 15, 16)],
    ],
  ])('does not explain %s', (_, calls) => {
    expect(linearize(calls, register)).toBeUndefined();
  });

  it('agrees with a search through all orders', () => {
    const call = tuple(nat(11), integer({ min: 1, max: 8 }), nat(2), boolean()).map(
      ([invoked, duration, value, isWrite]) => (isWrite ? write : read)(value, invoked, invoked + duration),
    );
    const found = { yes: 0, no: 0 };
    assert(
      property(array(call, { minLength: 5, maxLength: 5 }), (calls) => {
        const isLinearizable = linearize(calls, register) !== undefined;
        expect(isLinearizable).toBe(byBruteForce(calls));
        found[isLinearizable ? 'yes' : 'no'] += 1;
      }),
      { seed: 7, numRuns: 400 },
    );
    expect(Math.min(found.yes, found.no)).toBeGreaterThan(50);
  });
});

function byBruteForce(calls: readonly TimedCall<Op, number>[], state = 0): boolean {
  if (calls.length === 0) return true;
  return calls.some((call, at) => {
    const rest = calls.filter((_, other) => other !== at);
    if (rest.some((other) => other.returned < call.invoked)) return false;
    return register.step(state, call.request, call.response).some((after) => byBruteForce(rest, after));
  });
}
