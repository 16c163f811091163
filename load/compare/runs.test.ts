import { describe, expect, it } from 'vitest';
import type { RunRecord, ScenarioDetail } from '../../spec/index.ts';
import { seededRandom } from '../engines/schedule.ts';
import { compareLoad, judgedAgainst } from './runs.ts';

interface Shape {
  readonly seconds?: number;
  readonly p50?: number;
  readonly errors?: number;
  readonly seed: number;
  readonly offeredRate?: number;
  readonly lagMs?: number;
  readonly busy?: number;
}

function log({ seconds = 30, p50 = 10, errors = 0, seed, offeredRate = 100, lagMs = 0, busy = 0 }: Shape): RunRecord[] {
  const random = seededRandom(seed);
  const ticks = Array.from({ length: seconds }, (_, second): RunRecord => {
    const level = (second < 2 ? 50 : p50) * (0.95 + random() * 0.1);
    const latencyMs = { p50: level, p90: level * 2, p95: level * 2, p99: level * 3, p99_9: level * 4, max: level * 5 };
    return { type: 'tick', scenario: 's', second, offeredRate, rate: 100 + random(), errors, inFlight: 1, latencyMs };
  });
  const scenario: RunRecord = {
    type: 'scenario',
    name: 's',
    engine: 'open',
    offeredRate,
    rate: 100,
    requests: 1,
    errors: {},
    histogram: '',
    thresholds: [],
    contractViolations: 0,
    notes: [],
    latencyMs: { p50, p90: 0, p95: 0, p99: 0, p99_9: 0, max: 0 },
    detail: {
      warmupMs: 2000,
      durationMs: seconds * 1000,
      lagMs: { p50: lagMs, p90: lagMs, p95: lagMs, p99: lagMs, p99_9: lagMs, max: lagMs },
      busy,
    } as ScenarioDetail,
  };
  return [...ticks, scenario];
}

const verdicts = (before: RunRecord[], after: RunRecord[]): unknown => {
  const [comparison] = compareLoad(before, after);
  const metrics = comparison?.metrics.map(({ metric, verdict }) => [metric, verdict]) ?? [];
  return { worse: comparison?.worse, ...Object.fromEntries(metrics) };
};

describe('comparing runs', () => {
  it('treats noise as no change', () => {
    const same = { worse: false, p50: 'same', p99: 'same', rate: 'same', errors: 'same' };
    expect(verdicts(log({ seed: 1 }), log({ seed: 2 }))).toEqual(same);
  });

  it('gives intervals that are possible, however much the values scatter', () => {
    const scattered = (seed: number): RunRecord[] => {
      const random = seededRandom(seed);
      return log({ seed }).map((record) => {
        if (record.type !== 'tick') return record;
        const p99 = 10 ** (random() * 3);
        return { ...record, latencyMs: { ...record.latencyMs, p99 } };
      });
    };
    const [comparison] = compareLoad(scattered(1), scattered(2));
    const p99 = comparison?.metrics.find(({ metric }) => metric === 'p99');
    expect(p99?.low).toBeGreaterThan(-1);
    expect(p99?.low).toBeLessThan(p99?.change ?? 0);
    expect(p99?.high).toBeGreaterThan(p99?.change ?? 0);
  });

  it('detects a slower run, and excludes the warm-up', () => {
    const [comparison] = compareLoad(log({ seed: 1 }), log({ seed: 2, p50: 12 }));
    const p50 = comparison?.metrics.find(({ metric }) => metric === 'p50');
    expect(p50).toMatchObject({ verdict: 'worse' });
    expect(p50?.change).toBeCloseTo(0.2, 1);
    expect(p50?.low).toBeLessThan(0.2);
    expect(p50?.high).toBeGreaterThan(0.19);
    expect(comparison?.worse).toBe(true);
  });

  it.each([
    ['errors', {}, { errors: 2 }, { worse: true, errors: 'worse', p50: 'same' }],
    ['improvements', {}, { p50: 7 }, { worse: false, p50: 'better' }],
    ['what the lag of the other run does not explain', { lagMs: 15 }, { p50: 14 }, { worse: true, p50: 'worse' }],
    ['what is more than the lag', {}, { p50: 30, lagMs: 15 }, { worse: true, p50: 'worse' }],
    ['errors of a busy generator', {}, { errors: 9, busy: 1 }, { errors: 'worse' }],
  ])('detects %s', (_, before, after, expected) => {
    expect(verdicts(log({ seed: 1, ...before }), log({ seed: 2, ...after }))).toMatchObject(expected);
  });

  it('is unsure about short runs, combines repeated ones, and notes different rates', () => {
    expect(verdicts(log({ seed: 1, seconds: 5 }), log({ seed: 2, seconds: 5 }))).toMatchObject({ p50: 'unsure' });
    const repeated = [1, 2, 3].flatMap((seed) => log({ seed, seconds: 5 }));
    const slower = [4, 5, 6].flatMap((seed) => log({ seed, seconds: 5, p50: 20 }));
    expect(verdicts(repeated, slower)).toMatchObject({ p50: 'worse' });
    expect(compareLoad(log({ seed: 1 }), log({ seed: 2, offeredRate: 50 }))[0]?.notes).toEqual([
      'the offered rates differ: 100 and 50 per second',
    ]);
  });

  it('does not present the lag of the generator as a change of the target', () => {
    const late = log({ seed: 2, p50: 14, lagMs: 15 });
    const unsure = { worse: false, p50: 'unsure', p99: 'unsure', errors: 'same' };
    expect(verdicts(log({ seed: 1 }), late)).toMatchObject(unsure);
    expect(compareLoad(log({ seed: 1 }), late)[0]?.notes).toEqual([
      expect.stringMatching(
        /^the load generator, not the target, .* of p50, p99: in the later run, its lag p99 was 15\.0 ms/,
      ),
    ]);
    expect(verdicts(log({ seed: 1, p50: 14, lagMs: 15 }), log({ seed: 2 }))).toMatchObject({ p50: 'unsure' });
    const busy = log({ seed: 2, p50: 30, busy: 1 });
    expect(verdicts(log({ seed: 1 }), busy)).toMatchObject({ worse: false, p50: 'unsure' });
  });
});

it('misses a threshold for each metric that is worse than in the earlier run', () => {
  const outcomes = (after: RunRecord[]): unknown => {
    const scenario = after.at(-1);
    if (scenario?.type !== 'scenario') throw new Error('no scenario');
    const { thresholds } = judgedAgainst(log({ seed: 1 }), after.slice(0, -1), scenario);
    return thresholds.map(({ expression, held }) => [expression, held]);
  };
  expect(outcomes(log({ seed: 2 }))).toEqual([]);
  expect(outcomes(log({ seed: 2, p50: 12 }))).toEqual([
    ['p50 no worse than in the earlier run', false],
    ['p99 no worse than in the earlier run', false],
  ]);
});
