import { describe, expect, it } from 'vitest';
import { AssayError } from '../../spec/index.ts';
import { segmentsOf, usersAt, usersShare } from './executors.ts';
import { executorPlan } from './executor-plan.ts';

const stages = [
  { durationMs: 1000, target: 10 },
  { durationMs: 0, target: 4 },
  { durationMs: 2000, target: 4 },
];

describe('executors', () => {
  it('ramp from one stage to the next, and jump where a stage has total duration of zero', () => {
    const segments = segmentsOf(stages);
    expect(segments).toEqual([
      { durationMs: 1000, from: 0, to: 10 },
      { durationMs: 2000, from: 4, to: 4 },
    ]);
    expect([0, 500, 1500, 3000].map((at) => usersAt(segments, at))).toEqual([0, 5, 4, 0]);
  });

  it.each([1, 2, 3, 5])('share users and iterations exactly among %i workers', (count) => {
    const all = { segments: segmentsOf(stages), each: Infinity, all: 11 };
    const shares = Array.from({ length: count }, (_, index) => usersShare(all, index, count));
    expect(shares.reduce((sum, share) => sum + share.all, 0)).toBe(11);
    for (const at of [100, 350, 730, 990, 1200])
      expect(shares.reduce((sum, { segments }) => sum + Math.floor(usersAt(segments, at) + 1e-9), 0)).toBe(
        Math.floor(usersAt(all.segments, at) + 1e-9),
      );
  });

  it.each([
    [{}, {}, 'constant-arrival-rate'],
    [{ vus: 3 }, {}, 'constant-vus'],
    [{ vus: 3, iterations: 2 }, {}, 'per-vu-iterations'],
    [{}, { stages }, 'ramping-arrival-rate'],
    [{}, { stages, vus: 1 }, 'ramping-vus'],
    [{ executor: 'shared-iterations', iterations: 9 }, {}, 'shared-iterations'],
    [{ executor: 'shared-iterations', iterations: 9 }, { vus: 2 }, 'constant-vus'],
  ] as const)('%j with %j means %s', (scenario, options, executor) => {
    expect(executorPlan(scenario, options, undefined).executor).toBe(executor);
  });

  it.each([
    [undefined, { vus: 3 }, /constant-vus needs a scenario with a flow/],
    [{}, { executor: 'ramping-vus' }, /needs stages/],
    [{}, { executor: 'shared-iterations' }, /needs a number of iterations/],
    [{ executor: 'fast' as never }, {}, /no executor "fast"/],
    [undefined, { stages: [{ durationMs: 0, target: 5 }] }, /total duration of zero/],
    [{ vus: 0 }, {}, /vus must be a whole number above 0, not 0/],
    [{ vus: 2, iterations: 1.5 }, {}, /iterations must be a whole number above 0, not 1.5/],
  ] as const)('%j with %j is refused with a hint', (scenario, options, message) => {
    expect(() => executorPlan(scenario, options, undefined)).toThrow(message);
    expect(() => executorPlan(scenario, options, undefined)).toThrow(AssayError);
  });
});
