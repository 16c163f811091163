import { describe, expect, it } from 'vitest';
import { AssayError } from '../spec/index.ts';
import { checkParts, judgeThreshold, parseThresholds } from './thresholds.ts';
import type { Measured, PartMeasured } from './thresholds.ts';

const readers = {
  percentile: (percent: number) => (percent * 20) / 3,
  mean: 7,
  requests: 95,
  answered: 90,
  errorShare: 0.05,
  rate: 9,
};
const PARTS: Readonly<Record<string, PartMeasured>> = {
  readers,
  'GET /x/{id}': { ...readers, percentile: (percent) => (percent * 80) / 9 },
};

const measured: Measured = {
  percentile: (percent) => percent * 10,
  mean: 12,
  requests: 902,
  answered: 900,
  errorShare: 0.002,
  rate: 950,
  violations: 3,
  unsent: 0,
  checkShare: 0.97,
  part: (name) => PARTS[name],
};

function read(): unknown {
  return parseThresholds([
    'p99<200',
    'p101<5',
    'latency<3',
    'rate>10ms',
    'p99<200parsec',
    'unsent<5%',
    'p99',
    'errors<5',
    'errors<0.1',
    'unsent{a}==0',
  ]);
}

describe('thresholds', () => {
  it.each([
    ['p99<200', 990, false],
    ['p99.9<1s', 999, true],
    ['p50 <= 500 ms', 500, true],
    ['errors<0.1%', 0.2, false],
    ['p99{readers}<700', 660, true],
    ['p99 { GET /x/{id} } < 1s', 880, true],
    ['errors{readers}<1%', 5, false],
    ['p99{nobody}<1s', 0, false],
    ['checks>99%', 97, false],
    ['rate>1000', 950, false],
    ['rate>900/s', 950, true],
    ['violations==0', 3, false],
    ['max<2s', 1000, true],
    ['MEAN<12.5', 12, true],
    ['unsent==0', 0, true],
  ])('%s', (expression, value, held) => {
    const [threshold] = parseThresholds([expression]);
    const outcome = judgeThreshold(threshold!, measured);
    expect(outcome.held).toBe(held);
    expect(outcome.value).toBeCloseTo(value);
  });

  it('does not meet a latency threshold without a response', () => {
    const [threshold] = parseThresholds(['p99<200']);
    expect(judgeThreshold(threshold!, { ...measured, percentile: () => 0, answered: 0 }).held).toBe(false);
  });

  it('does not meet a threshold without data', () => {
    const nothing = {
      ...measured,
      requests: 0,
      answered: 0,
      errorShare: 0,
      rate: 0,
      violations: 0,
      checkShare: undefined,
    };
    const outcomes = (unsent: number) =>
      parseThresholds(['errors<1%', 'checks>=0%', 'rate<5', 'violations==0', 'unsent==0']).map((threshold) =>
        judgeThreshold(threshold, { ...nothing, unsent }),
      );
    for (const outcome of outcomes(0)) expect(outcome).toMatchObject({ held: false, noData: true });
    expect(outcomes(3).at(-1)).not.toHaveProperty('noData');
  });

  it('does not meet a threshold on checks without a check', () => {
    const [threshold] = parseThresholds(['checks>99%']);
    const outcome = judgeThreshold(threshold!, { ...measured, checkShare: undefined });
    expect(outcome).toMatchObject({ held: false, noData: true });
  });

  it('refuses thresholds of parts and checks that the requests of a scenario do not have', () => {
    const series = [{ part: 'readers', operation: 'GET /x' }];
    const check = (expression: string) => () => checkParts(parseThresholds([expression]), series);
    expect(check('p99{readers}<1s')).not.toThrow();
    expect(check('p99{nope}<1s')).toThrow('No such part');
    expect(check('checks>99%')).toThrow('The scenario has no checks');
  });

  it('names every invalid threshold, with a hint', () => {
    expect(read).toThrow(AssayError);
    expect(read).toThrow(
      /"p101<5": unknown metric "p101"; "latency<3".*"rate>10ms": rate has no unit "ms"; use \/s; "p99<200parsec": p99 has no unit "parsec"; use us, µs, ms, s, min; "unsent<5%": unsent has no unit "%"; write a number; "p99": expected METRIC.*"errors<5": errors needs a unit; write 5%; "errors<0.1": errors needs a unit; write 0.1% or 10%; "unsent\{a\}==0": unsent cannot be limited to a part/,
    );
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ exitCode: 2, hint: expect.stringContaining('p99<200') });
    }
  });
});
