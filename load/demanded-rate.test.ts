import { describe, expect, it } from 'vitest';
import type { LoadOptions } from './options.ts';
import { planAt, planOf } from './plan.ts';
import { knownOptions, knownScenario } from './testing/known-scenario.ts';
import { parseThresholds } from './thresholds.ts';

const options = (given: Partial<LoadOptions>): LoadOptions => ({
  ...knownOptions('http://127.0.0.1:1'),
  scenarios: [],
  ...(given.stages ? {} : { durationMs: 10_000 }),
  ...given,
});

const stages = [
  { durationMs: 0, target: 400 },
  { durationMs: 5000, target: 400 },
  { durationMs: 5000, target: 0 },
];

/** The plan after a throughput phase, if it has one, which measured 400 per second. */
function offered(given: Partial<LoadOptions>, ...expressions: string[]): number {
  const thresholds = parseThresholds(expressions);
  const first = planOf(knownScenario(), options(given), thresholds);
  return planAt(first, 400, options(given), knownScenario(), thresholds).rate;
}

describe('a threshold on the rate', () => {
  it.each([
    [{ rate: 200 }, 'rate>300', 200],
    [{ rate: 200 }, 'rate>=200', 200],
    [{ maxRate: 250 }, 'rate>300', 250],
    [{ profile: 'ramp', rate: 500, warmupMs: 0 }, 'rate>300', 250],
    [{ profile: 'spike', maxRate: 1000, warmupMs: 0 }, 'rate>400', 360],
    [{ stages, warmupMs: 0 }, 'rate>300', 300],
    [{ profile: 'smoke' }, 'rate>10', 5],
  ] as const)('is refused with %j if the run offers less than %s', (given, expression, most) => {
    expect(() => offered(given, expression)).toThrow(`the run offers no more than ${most}.`);
  });

  it('raises the rate that half of the measured throughput sets', () => {
    expect(offered({})).toBe(200);
    expect(offered({}, 'p99<1s', 'rate>100')).toBe(200);
    expect(offered({}, 'rate>300')).toBe(306);
    expect(offered({ profile: 'ramp', warmupMs: 0 }, 'rate>300')).toBe(612);
    expect(offered({ profile: 'spike' }, 'rate>10')).toBe(200);
  });

  it('leaves a rate, and a threshold that is no demand or of one part, as they are', () => {
    expect(offered({ rate: 200 }, 'rate>199')).toBe(200);
    expect(offered({ rate: 200 }, 'rate<1000', 'rate{known}>1000')).toBe(200);
    expect(offered({ model: 'closed' }, 'rate>1000')).toBe(100);
    expect(offered({ stages, throughputMs: 1000 }, 'rate>100')).toBe(400);
  });
});
