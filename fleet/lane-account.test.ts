import { describe, expect, it } from 'vitest';
import type { LaneSlice } from './messages.ts';
import { addTallies, emptyTally, isBalanced, LaneAccount } from './lane-account.ts';

function slice(attempt: string, from: number, to: number, given: Partial<LaneSlice> = {}): LaneSlice {
  const withheld = given.withheld ?? 0;
  return {
    trial: 1,
    lane: 0,
    index: 0,
    attempt,
    from,
    to,
    sentTo: to - withheld,
    answered: to - from - withheld,
    failed: 0,
    unsent: 0,
    refused: 0,
    withheld,
    spanMs: 250,
    figures: {},
    ...given,
  };
}

function bookOf(slices: readonly LaneSlice[], firstId = 0): LaneAccount {
  const book = new LaneAccount(firstId);
  for (const each of slices) book.add(each);
  return book;
}

describe('the accounts of a lane', () => {
  it('are balanced where one owner reported all', () => {
    const own = bookOf(
      [slice('a', 10, 40), slice('a', 40, 110, { answered: 60, failed: 6, unsent: 3, refused: 1 })],
      10,
    );
    const tally = own.total(100);
    expect(tally).toEqual({ planned: 100, answered: 90, failed: 6, unsent: 3, refused: 1, withheld: 0, unknown: 0 });
    expect([isBalanced(tally), own.nextId]).toEqual([true, 110]);
  });

  it('count what a lost owner did not report as unknown, and what was in flight', () => {
    const own = bookOf([slice('a', 0, 40, { answered: 37 }), slice('b', 70, 100)]);
    expect(own.total(120)).toMatchObject({ answered: 67, unknown: 3 + 30 + 20 });
    expect(own.unreported(120)).toEqual([
      [40, 70],
      [100, 120],
    ]);
    expect(isBalanced(own.total(120))).toBe(true);
  });

  it('count what was due while an owner slept for the next one, whatever the order of reports', () => {
    const slices = [slice('b', 60, 100), slice('a', 0, 40), slice('a', 40, 80, { withheld: 40 })];
    for (const order of [slices, slices.toReversed()]) {
      const own = bookOf(order);
      expect(own.total(100)).toMatchObject({ answered: 80, withheld: 20, unknown: 0 });
      expect([isBalanced(own.total(100)), own.duplicates()]).toEqual([true, 0]);
    }
  });

  it('show what two owners sent', () => {
    const own = bookOf([slice('a', 0, 60), slice('b', 50, 100)]);
    expect(own.duplicates()).toBe(10);
    expect(isBalanced(own.total(100))).toBe(false);
  });

  it('add up', () => {
    const tallies = [bookOf([slice('a', 0, 10)]).total(10), bookOf([]).total(5)];
    const sum = tallies.reduce((all, each) => addTallies(all, each), emptyTally());
    expect(sum).toMatchObject({ planned: 15, answered: 10, unknown: 5 });
  });
});
