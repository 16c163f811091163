import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { comparisonLines } from './comparison.ts';

it('shows figures with their units, and no metric that a run has no values of', () => {
  const known = { before: 0.01, after: 0.02, change: 0.01, low: 0.005, high: 0.015, p: 0, verdict: 'worse' } as const;
  const unknown = { before: NaN, after: 1, change: NaN, low: NaN, high: NaN, p: NaN, verdict: 'unsure' } as const;
  const metrics = [
    { ...known, metric: 'errors' },
    { ...known, metric: 'p50', before: 120, after: 2000, change: 15 },
    { ...unknown, metric: 'p99' },
  ] as const;
  const lines = comparisonLines([{ scenario: 's', metrics, worse: true, notes: ['too few seconds'] }]);
  const texts = lines.map((line) => stripVTControlCharacters(line).trim().replaceAll(/ +/gu, ' '));
  expect(texts).toEqual([
    '',
    's: comparison',
    'errors 1% → 2% +1.0 points (99% interval: +0.5 points to +1.5 points) worse',
    'p50 120 ms → 2.00 s +1500.0% (99% interval: +0.5% to +1.5%) worse',
    'too few seconds',
  ]);
});
