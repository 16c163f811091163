import { expect, it } from 'vitest';
import type { RunRecord, TickRecord } from '../../spec/index.ts';
import { sampleStart } from '../testing/sample-run.ts';
import { headline } from '../text/headline.ts';
import { summarise } from './summarise.ts';

function tick(scenario: string, second: number, parts?: TickRecord['parts']): TickRecord {
  const latencyMs = { p50: 1, p90: 1, p95: 1, p99: 1, p99_9: 1, max: 1 };
  return {
    type: 'tick',
    scenario,
    second,
    offeredRate: 10,
    rate: 9,
    errors: 1,
    inFlight: 0,
    latencyMs,
    ...(parts && { parts }),
  };
}

const PART = {
  part: 'a',
  operation: 'a',
  requests: 10,
  statuses: {},
  errors: {},
  latencyMs: { p50: 1, p90: 1, p95: 1, p99: 1, p99_9: 1, max: 1 },
};

it('the log of a killed load run tells how long it ran and what it sent', () => {
  const start: RunRecord = { ...sampleStart(), command: 'load' };
  const summary = summarise([start, tick('reads', 0, [PART, PART]), tick('reads', 1, [PART]), tick('reads', 2)]);
  expect(summary).toMatchObject({ verdict: 'interrupted', durationMs: 3000, totals: { exchanges: 40, errors: 0 } });
  expect(headline(summary).sentence).toMatch(/^Interrupted after 3.0 s/);
  expect(summary.errors.map(({ message }) => message)).toEqual([
    'reads was killed after 3 seconds of load, before its percentiles and thresholds were computed',
  ]);
  const end: RunRecord = { type: 'run-end', durationMs: 5000, interrupted: true };
  expect(summarise([start, tick('reads', 0), end])).toMatchObject({ durationMs: 5000, errors: [] });
});
