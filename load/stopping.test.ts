import { expect, it } from 'vitest';
import { Measurement } from './measurement.ts';
import { Stopping } from './stopping.ts';
import { parseThresholds } from './thresholds.ts';
import { testPart, testSlice } from './testing/slices.ts';

/** The index of the slice after which a run stops; requests fail from the fifth slice on, in every `each`th slice. */
function stopsAt(each: number): number | undefined {
  const measurement = new Measurement({ warmupMs: 0, durationMs: 20_000 });
  const stopping = new Stopping({ flow: undefined, thresholds: [], violations: () => 0 });
  for (let index = 0; index < 80; index += 1) {
    const isDown = index >= 4;
    const failed = isDown && index % each === 0 ? 20 : 0;
    const view = measurement.add(index, [testSlice(index, [testPart(isDown ? 0 : 10, { failed })])]);
    if (stopping.add(view, measurement) === 'stop') return index;
  }
  return undefined;
}

it.each([1, 2, 3])('stops after three seconds of failures in every slice number %i', (each) => {
  expect(stopsAt(each)).toBeLessThanOrEqual(4 + 12 + each);
  expect(stopsAt(each)).toBeGreaterThanOrEqual(4 + 11);
});

it('a threshold without data yet does not stop a run', () => {
  const stopping = new Stopping({
    flow: undefined,
    thresholds: parseThresholds(['checks>99%', 'p99{late}<9s']),
    violations: () => 0,
  });
  const measurement = new Measurement({ warmupMs: 0, durationMs: 20_000 });
  for (let index = 0; index < 40; index += 1)
    expect(stopping.add(measurement.add(index, [testSlice(index, [testPart(10)])]), measurement)).toBe('on');
});
