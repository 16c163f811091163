import { describe, expect, it } from 'vitest';
import type { LoadOptions } from './options.ts';
import { planOf } from './plan.ts';
import { knownOptions, knownScenario } from './testing/known-scenario.ts';

const stages = [
  { durationMs: 2000, target: 40 },
  { durationMs: 4000, target: 40 },
];

function plan(options: Partial<LoadOptions>, hasFlow = false): ReturnType<typeof planOf> {
  const scenario = knownScenario(hasFlow ? { flow: { file: 'flow.ts' } } : {});
  return planOf(scenario, { ...knownOptions('http://127.0.0.1:1'), scenarios: [], ...options });
}

describe('the plan of a run', () => {
  it('ends stages at the maximum duration, and limits their rate', () => {
    const { durationMs, rate, executor, notes } = plan({ stages, maxDurationMs: 3000, maxRate: 30 });
    expect({ durationMs, rate }).toEqual({ durationMs: 3000, rate: 30 });
    expect(executor.segments).toEqual([
      { durationMs: 2000, from: 0, to: 30 },
      { durationMs: 1000, from: 30, to: 30 },
    ]);
    expect(notes).toHaveLength(2);
  });

  it('ends virtual users at the maximum duration', () => {
    const { durationMs, executor } = plan({ stages, vus: 1, maxDurationMs: 1000 }, true);
    expect(durationMs).toBe(1000);
    expect(executor.users?.segments).toEqual([{ durationMs: 1000, from: 0, to: 20 }]);
  });

  it('keeps stages within the limits as they are', () => {
    expect(plan({ stages }).executor.segments).toEqual([
      { durationMs: 2000, from: 0, to: 40 },
      { durationMs: 4000, from: 40, to: 40 },
    ]);
  });
});
