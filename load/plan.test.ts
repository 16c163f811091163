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

  it.each([
    [{ rate: 20, vus: 2 }, /--rate has no effect with virtual users \(constant-vus\)/],
    [{ rate: 20, stages, vus: 1 }, /--rate has no effect with virtual users \(ramping-vus\)/],
    [{ rate: 20, stages }, /--rate has no effect with stages/],
    [{ durationMs: 500, stages }, /--duration has no effect with stages/],
    [{ profile: 'ramp', stages }, /--profile has no effect with stages/],
    [{ profile: 'spike', vus: 2 }, /--profile spike has no effect with virtual users/],
    [{ arrivals: 'poisson', vus: 2 }, /--arrivals has no effect with virtual users/],
    [{ executor: 'constant-arrival-rate', vus: 2 }, /--vus has no effect with constant-arrival-rate/],
    [{ executor: 'constant-vus', iterations: 2 }, /--iterations has no effect with constant-vus/],
    [{ executor: 'constant-vus', stages }, /--stage has no effect with constant-vus/],
    [{ throughputMs: 1000 }, /--throughput has no effect with a flow/],
    [{ model: 'closed' }, /--engine has no effect with a flow/],
    [{ durationMs: 3000, warmupMs: 3000 }, /warm-up of 3 s leaves nothing to measure: the scenario ends after 3 s/],
    [{ maxDurationMs: 1500, warmupMs: 2000 }, /warm-up of 2 s leaves nothing to measure/],
  ] as const)('refuses %j', (options, message) => {
    expect(() => plan(options, true)).toThrow(message);
  });

  it.each([
    [{ rate: 5 }, /--rate/],
    [{ stages }, /--stage/],
    [{ profile: 'ramp' }, /--profile ramp/],
    [{ arrivals: 'even' }, /--arrivals/],
    [{ throughputMs: 1000 }, /--throughput/],
  ] as const)('refuses %j with the closed engine', (options, option) => {
    expect(() => plan({ model: 'closed', ...options })).toThrow(option);
    expect(() => plan({ model: 'closed', ...options })).toThrow('has no effect with --engine closed');
  });

  it('keeps what has an effect', () => {
    expect(plan({ model: 'closed', profile: 'soak', throughputMs: 0 }).throughputMs).toBe(0);
    expect(plan({ vus: 2, profile: 'soak' }, true).profile).toBe('soak');
    expect(plan({ executor: 'shared-iterations', vus: 2, iterations: 9 }, true).executor.users?.all).toBe(9);
  });

  it('has no warm-up by default where the number of iterations is fixed', () => {
    expect(plan({ iterations: 5 }, true).warmupMs).toBe(0);
    expect(plan({ vus: 5 }, true).warmupMs).toBe(2000);
  });
});
