import { expect, it } from 'vitest';
import { FleetTrial } from './fleet-trial.ts';
import type { LaneSlice } from './messages.ts';

const SLICE_MS = 250;

function slice(attempt: string, index: number, given: Partial<LaneSlice>): LaneSlice {
  const { from = 0, to = 0, withheld = 0 } = given;
  const rest = { failed: 0, unsent: 0, refused: 0, withheld, spanMs: SLICE_MS, figures: {} };
  return {
    trial: 1,
    lane: 0,
    index,
    attempt,
    from,
    to,
    sentTo: to - withheld,
    answered: to - from - withheld,
    ...rest,
    ...given,
  };
}

/** A lane with four requests per slice, whose owner is suspended from 0.5 s to 5 s; another takes over at 3 s. */
it('the gap of a suspended owner begins with its sleep, also where it tells in a later slice what it withheld', () => {
  const trial = new FleetTrial({
    lanes: [{ firstId: 0, planned: 80, peakRate: 16, job: {} }],
    requests: '',
    sliceMs: SLICE_MS,
    durationMs: 5000,
    drainMs: 1000,
    onSlices: () => {},
    onLate: () => {},
    onResults: () => {},
    signal: new AbortController().signal,
  });
  const slices = [
    slice('a', 0, { from: 0, to: 4 }),
    slice('a', 1, { from: 4, to: 8 }),
    slice('a', 2, { from: 8, to: 8, spanMs: 4500 }),
    slice('a', 20, { from: 8, to: 80, withheld: 72 }),
    ...Array.from({ length: 8 }, (_, at) => slice('b', 12 + at, { from: 48 + 4 * at, to: 52 + 4 * at })),
  ];
  const events = ['a', 'b'].map((attempt) => ({ type: 'ready', trial: 1, lane: 0, attempt, connected: 1 }) as const);
  slices.forEach((each, seq) =>
    trial.apply({ agent: each.attempt, seq, slices: [each], events: seq === 0 ? events : [] } as never, 1),
  );
  const { gaps, tally } = trial.finish(5000);
  expect(tally).toMatchObject({ planned: 80, answered: 40, withheld: 40, unknown: 0 });
  expect(gaps).toEqual([{ lane: 0, agent: 'a', fromMs: 500, toMs: 3250, withheld: 40, unknownAtMost: 0 }]);
});
