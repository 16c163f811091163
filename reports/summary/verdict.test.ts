import { describe, expect, it } from 'vitest';
import type { RunRecord, RunStart, ScenarioRecord } from '../../spec/index.ts';
import { sampleLoad } from '../testing/sample-load.ts';
import { summarise } from './summarise.ts';
import type { Summary } from './types.ts';
import { exitCodeOf } from './verdict.ts';

const latencyMs = { p50: 1, p90: 1, p95: 1, p99: 1, p99_9: 1, max: 1 };

const SCENARIO: ScenarioRecord = {
  type: 'scenario',
  name: 's',
  engine: 'open',
  offeredRate: 1,
  rate: 1,
  requests: 1,
  errors: {},
  latencyMs,
  thresholds: [{ expression: 'p99<1', value: 2, held: false }],
  contractViolations: 0,
  histogram: '',
  notes: [],
};

function summaryOf(command: RunStart['command'], ...records: RunRecord[]): Summary {
  const [start] = sampleLoad();
  if (start?.type !== 'run-start') throw new Error('no start');
  return summarise([{ ...start, command }, ...records, { type: 'run-end', durationMs: 5, interrupted: false }]);
}

describe('a load run', () => {
  it('misses thresholds with exit code 4, but not in a capacity search', () => {
    expect(exitCodeOf(summaryOf('load', SCENARIO))).toBe(4);
    expect(exitCodeOf(summaryOf('capacity', SCENARIO))).toBe(0);
  });

  it('is inconclusive where no request of a scenario was measured, unless another one missed a threshold', () => {
    const idle = { ...SCENARIO, requests: 0, name: 'idle' };
    const silent = summaryOf('load', idle);
    expect([silent.reason, exitCodeOf(silent)]).toEqual(['no request of idle was measured', 6]);
    expect(exitCodeOf(summaryOf('load', idle, SCENARIO))).toBe(4);
  });
});

it.each([
  ['time', 9, ['probe'], 6],
  ['time', 0, [], 6],
  ['time', 9, ['probe', 'confirm'], 0],
  ['latency', 9, ['probe'], 0],
  ['latency', 9, ['probe', 'missed confirm'], 6],
  ['latency', 0, ['probe'], 4],
] as const)('a search limited by %s at %i/s after %j ends with %i', (limitedBy, rate, names, exitCode) => {
  const steps = names.map((name) => ({
    kind: name === 'probe' ? ('probe' as const) : ('confirm' as const),
    offeredRate: 9,
    rate: 9,
    held: name !== 'missed confirm',
    latencyMs,
    reason: '',
  }));
  const found: RunRecord = { type: 'capacity', scenario: 's', rate, low: rate, high: rate, limitedBy, steps };
  expect(exitCodeOf(summaryOf('capacity', SCENARIO, found))).toBe(exitCode);
  // The rate met the thresholds, but steps above and below it failed later.
  if (limitedBy === 'latency' && rate > 0)
    expect(exitCodeOf(summaryOf('capacity', SCENARIO, { ...found, low: 0 }))).toBe(6);
});
