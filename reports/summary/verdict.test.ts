import { describe, expect, it } from 'vitest';
import type { RunRecord, RunStart, ScenarioRecord } from '../../spec/index.ts';
import { sampleLoad } from '../testing/sample-load.ts';
import { sampleRun } from '../testing/sample-run.ts';
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
  ['time', 9, false, 6],
  ['time', 9, true, 0],
  ['time', 0, false, 6],
  ['latency', 9, false, 6],
  ['latency', 9, true, 0],
  ['latency', 0, false, 4],
  ['generator', 0, false, 6],
] as const)('a search limited by %s at %i/s, confirmed: %s, ends with %i', (limitedBy, rate, confirmed, exitCode) => {
  const found: RunRecord = {
    type: 'capacity',
    scenario: 's',
    rate,
    low: rate,
    high: rate,
    limitedBy,
    confirmed,
    steps: [],
  };
  expect(exitCodeOf(summaryOf('capacity', SCENARIO, found))).toBe(exitCode);
});

it.each([
  ['a finding that is missing', 'ffffffffffffffff', 'inconclusive'],
  ['no finding', undefined, 'passed'],
])('a run that replays %s, which does not happen alone, has its verdict', (_, unproven, verdict) => {
  const records = sampleRun({ findings: 0 }).map((record) =>
    record.type === 'run-start' && unproven !== undefined
      ? { ...record, options: { ...record.options, unproven } }
      : record,
  );
  const summary = summarise(records);
  expect([summary.verdict, exitCodeOf(summary)]).toEqual([verdict, verdict === 'passed' ? 0 : 6]);
});

it.each([
  ['most tests not run', 150, { hasStopped: true }, 'inconclusive'],
  ['a few tests not run', 20, { hasStopped: true }, 'passed'],
  ['most tests not run, and one operation that is slow', 150, {}, 'passed'],
] as const)('a run whose target no longer responded when the time was used up: %s', (_, unrun, stopped, verdict) => {
  let tests = 0;
  const unanswered = [{ operation: 'POST /items', waitedMs: 9_000 }];
  const records = sampleRun({ findings: 0 }).map((record): RunRecord => {
    if (record.type === 'statistics') return { ...record, unanswered, ...stopped };
    if (record.type !== 'test') return record;
    tests += 1;
    return tests > unrun ? record : { ...record, verdict: 'skipped', outOfTime: true, reason: 'time' };
  });
  const summary = summarise(records);
  expect(summary.verdict).toBe(verdict);
  if (verdict === 'inconclusive')
    expect(summary.reason).toContain('POST /items had had no response for 9.0 s when the time');
});
