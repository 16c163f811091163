import { expect, it } from 'vitest';
import { FleetTrial } from './fleet-trial.ts';
import type { TrialResult } from './fleet-trial.ts';
import type { LaneSlice, Report } from './messages.ts';

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

/** A lane of 5 s with four requests per slice. */
function finished(slices: readonly LaneSlice[]): TrialResult {
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
  slices.forEach((each, seq) =>
    trial.apply({ agent: each.attempt, seq, slices: [each], events: [] } as unknown as Report, 1),
  );
  return trial.finish(5000);
}

const busy = (attempt: string, first: number, last: number): LaneSlice[] =>
  Array.from({ length: last - first }, (_, at) =>
    slice(attempt, first + at, { from: 4 * (first + at), to: 4 * (first + at + 1) }),
  );

it('the gap of a suspended owner begins with its sleep, also where it tells in a later slice what it withheld', () => {
  const { gaps, tally } = finished([
    ...busy('a', 0, 2),
    slice('a', 2, { from: 8, to: 8, spanMs: 4500 }),
    slice('a', 20, { from: 8, to: 80, withheld: 72 }),
    ...busy('b', 12, 20),
  ]);
  expect(tally).toMatchObject({ planned: 80, answered: 40, withheld: 40, unknown: 0 });
  expect(gaps).toEqual([{ lane: 0, agent: 'a', fromMs: 500, toMs: 3250, withheld: 40, unknownAtMost: 0 }]);
});

it('a gap ends when the next owner sends, not when it is ready', () => {
  const waiting = [4, 5, 6].map((index) => slice('b', index, { from: 40, to: 40 }));
  const { gaps } = finished([...busy('a', 0, 2), ...waiting, ...busy('b', 10, 20)]);
  expect(gaps).toEqual([{ lane: 0, agent: 'a', fromMs: 500, toMs: 2500, withheld: 0, unknownAtMost: 32 }]);
});

it('a gap ends with the schedule', () => {
  const { gaps } = finished([...busy('a', 0, 18), slice('b', 92, { from: 72, to: 80, withheld: 8 })]);
  expect(gaps).toEqual([{ lane: 0, agent: 'b', fromMs: 4500, toMs: 5000, withheld: 8, unknownAtMost: 0 }]);
});

it('a gap of an owner that slept from the start begins there', () => {
  const all = { lane: 0, agent: 'a', fromMs: 0, unknownAtMost: 0 };
  const { gaps } = finished([slice('a', 24, { from: 0, to: 80, withheld: 80 })]);
  expect(gaps).toEqual([{ ...all, toMs: 5000, withheld: 80 }]);
  const woken = finished([slice('a', 8, { from: 0, to: 36, withheld: 36 }), ...busy('a', 9, 20)]);
  expect(woken.gaps).toEqual([{ ...all, toMs: 2250, withheld: 36 }]);
  const passedOn = finished([slice('a', 24, { from: 0, to: 80, withheld: 80 }), ...busy('b', 12, 20)]);
  expect(passedOn.gaps).toEqual([{ ...all, toMs: 3250, withheld: 48 }]);
});

it('stalls with time between them are gaps of their own', () => {
  const stalled = (index: number): LaneSlice => slice('a', index, { from: 4 * index, to: 4 * index + 4, withheld: 3 });
  const { gaps } = finished([
    ...busy('a', 0, 2),
    stalled(2),
    stalled(3),
    ...busy('a', 4, 16),
    stalled(16),
    ...busy('a', 17, 20),
  ]);
  const of = { lane: 0, agent: 'a', unknownAtMost: 0 };
  expect(gaps.toSorted((a, b) => a.fromMs - b.fromMs)).toEqual([
    { ...of, fromMs: 500, toMs: 1000, withheld: 6 },
    { ...of, fromMs: 4000, toMs: 4250, withheld: 3 },
  ]);
});
