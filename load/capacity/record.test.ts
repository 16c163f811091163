import { expect, it } from 'vitest';
import { collapseText, slowingText } from './record.ts';
import type { SearchResult, TakenStep } from './record.ts';
import type { Recovery } from './recovery.ts';

function step(rate: number, answered: number, held: boolean): TakenStep {
  const totals = { rate: answered, spanMs: 3000, latencies: { percentile: () => 10 } };
  const trial = { measurement: { whole: totals, steady: totals } };
  return { rate, kind: 'probe', step: { held, saturated: !held, trial } } as unknown as TakenStep;
}

function found(taken: readonly TakenStep[], recovery?: Partial<Recovery>, busy = 190): SearchResult {
  const throughput = { rate: busy, connections: 50, latencyMs: { p50: 260 } };
  return {
    taken,
    throughput,
    recoveries: recovery ? [{ isStuck: false, trials: [], ...recovery }] : [],
  } as unknown as SearchResult;
}

it('a target that answers less when it is overloaded is named, with its recovery', () => {
  const steps = [step(180, 180, true), step(280, 60, false)];
  const text = 'the target answers less when it is overloaded: it handled 180/s, but of 280/s it answered only 60/s';
  expect(collapseText(found(steps))).toBe(text);
  expect(collapseText(found(steps, { tookMs: 9100 }))).toBe(`${text}, and took 9 s to recover`);
  expect(collapseText(found(steps, { tookMs: 9100, isStuck: true }))).toMatch(
    /had not recovered 9 s later, which ended/,
  );
  expect(collapseText(found([step(180, 180, true)], undefined, 40))).toMatch(
    /but with 50 busy connections it answered only 40\/s$/,
  );
  expect(collapseText(found([step(180, 180, true), step(280, 190, false)], { tookMs: 300 }))).toBeUndefined();
});

it('a target that slows down until no rate meets the thresholds is named', () => {
  const steps = [step(160, 140, false), step(138, 110, false), step(80, 70, false)];
  expect(slowingText(found(steps))).toBe(
    'the target became slower during the search: it answered 190/s at first, 70/s at the end',
  );
  expect(slowingText(found([step(240, 190, false), step(200, 188, false)]))).toBeUndefined();
});
