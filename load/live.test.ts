import { expect, it } from 'vitest';
import type { TickRecord } from '../spec/index.ts';
import { TickClock } from './live.ts';
import { Measurement } from './measurement.ts';
import { testPart, testSlice } from './testing/slices.ts';

it('a tick has the rate of its second, also where that is incomplete', () => {
  const ticks: TickRecord[] = [];
  const clock = new TickClock({
    scenario: 's',
    durationMs: 10_000,
    offers: 'iterations',
    onTick: (tick) => ticks.push(tick),
  });
  const measurement = new Measurement({ warmupMs: 0, durationMs: 10_000 });
  for (let index = 0; index < 6; index += 1) clock.add(measurement.add(index, [testSlice(index, [testPart(25)])]));
  clock.flush();
  expect(ticks[0]).toMatchObject({ offers: 'iterations' });
  expect(ticks.map(({ second, rate }) => [second, rate])).toEqual([
    [0, 100],
    [1, 100],
  ]);
});

it('counts answers that come after the end of the schedule in the time that they took', () => {
  const ticks: TickRecord[] = [];
  const durationMs = 1500;
  const clock = new TickClock({ scenario: 's', durationMs, onTick: (tick) => ticks.push(tick) });
  const measurement = new Measurement({ warmupMs: 0, durationMs });
  for (let index = 0; index < 10; index += 1)
    clock.add(measurement.add(index, [testSlice(index, [testPart(10)], { spanMs: index === 9 ? 50 : 250 })]));
  clock.flush();
  expect(ticks.map(({ second, rate }) => [second, Math.round(rate)])).toEqual([
    [0, 40],
    [1, 40],
    [2, 67],
  ]);
});
