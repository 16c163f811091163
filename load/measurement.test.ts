import { expect, it } from 'vitest';
import { Measurement } from './measurement.ts';
import { testPart, testSlice } from './testing/slices.ts';

/** The time of a measurement, by the spans of its slices, each with those of all workers. */
function timeOf(spans: readonly (readonly number[])[]): number {
  const measurement = new Measurement({ warmupMs: 0, durationMs: 10_000 });
  for (const [index, all] of spans.entries())
    if (all.length > 0)
      measurement.add(
        index,
        all.map((spanMs) => testSlice(index, [testPart(1)], { spanMs })),
      );
  expect(measurement.steady.inTime).toBe(spans.flat().length);
  return measurement.steady.spanMs;
}

it('measures the time of one worker exactly', () => {
  expect(timeOf([[254], [250], [253], [251.5], [100]])).toBe(1100);
  expect(timeOf([[251], [1252], [], [], [], [], [250]])).toBe(1750);
});

it('adds no time because workers end their slices at different times', () => {
  expect(
    timeOf([
      [254, 250],
      [250, 254],
      [254, 250],
      [250, 254],
      [90, 100],
    ]),
  ).toBe(1100);
  expect(timeOf([[1252, 250], [250], [250], [250], [250], [250, 250]])).toBe(1500);
});
