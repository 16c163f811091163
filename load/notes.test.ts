import { expect, it } from 'vitest';
import { Measurement } from './measurement.ts';
import { trialNotes } from './notes.ts';
import { Latencies } from './engines/latencies.ts';
import { testPart, testSlice } from './testing/slices.ts';
import type { Trial } from './trial.ts';

it('says from when on nothing succeeded, and why requests were not sent', () => {
  const measurement = new Measurement({ warmupMs: 0, durationMs: 3000 });
  const failing = { failed: 5, errors: [['refused', 5]] } as const;
  measurement.add(0, [testSlice(0, [testPart(100)])]);
  measurement.add(1, [testSlice(1, [testPart(3, failing)])]);
  for (let index = 2; index < 6; index += 1)
    measurement.add(index, [testSlice(index, [testPart(0, failing)], { unsent: 5 })]);
  expect(trialNotes({ measurement } as Trial, [], undefined)).toEqual([
    '20 requests not sent because no connection could be established',
    'after 0.5 s no request succeeded: the target may have stopped',
  ]);
});

it('names the limit that requests waited for', () => {
  const measurement = new Measurement({ warmupMs: 0, durationMs: 1000 });
  measurement.add(0, [testSlice(0, [testPart(100)], { late: 40, connections: 50 })]);
  const [note] = trialNotes({ measurement } as Trial, [], undefined);
  expect(note).toContain(
    '40 of 100 requests waited for a free connection, with 50 connections open (--connections sets the limit)',
  );
});

it('names a rate limit, with what it accepts', () => {
  const measurement = new Measurement({ warmupMs: 0, durationMs: 1000 });
  for (let index = 0; index < 4; index += 1)
    measurement.add(index, [testSlice(index, [testPart(37, { failed: 12, errors: [['429', 12]] })])]);
  expect(trialNotes({ measurement } as Trial, [], undefined).join()).toContain(
    'it refused 48 requests with 429 and accepted 148 per second',
  );
});

it('blames nothing for a trial that was stopped before it began', () => {
  const measurement = new Measurement({ warmupMs: 0, durationMs: 1000 });
  expect(trialNotes({ measurement, connected: 0, stopped: true } as Trial, [], undefined)).toEqual([]);
  expect(trialNotes({ measurement, connected: 0, stopped: false } as Trial, [], undefined)).toEqual([
    'no connection could be established at the start',
  ]);
});

it('names the stalls of the generator that its p99 does not show', () => {
  const measurement = new Measurement({ warmupMs: 250, durationMs: 3000 });
  for (let index = 0; index < 12; index += 1) {
    const lag = new Latencies();
    for (let request = 0; request < 300; request += 1) lag.record(0.2);
    if (index === 0 || index % 5 === 4) lag.record(index === 0 ? 900 : 120 + index);
    measurement.add(index, [testSlice(index, [testPart(100)], { lag: lag.take() })]);
  }
  const [note] = trialNotes({ measurement } as Trial, [], undefined);
  expect(note).toMatch(/^the load generator itself stalled 2 times, for up to 129 ms/);
});

it('names a gap of an agent that was lost before its first report', () => {
  const gap = { agent: '', zone: '', lanes: 2, fromMs: 0, toMs: 4000, withheld: 0, unknownAtMost: 116 };
  const requests = { planned: 1, answered: 1, failed: 0, unsent: 0, refused: 0, withheld: 0, unknown: 0 };
  const fleet = { requests, balanced: true, agents: 3, lost: ['a'], gaps: [gap], boundMs: 0.1 };
  const measurement = new Measurement({ warmupMs: 0, durationMs: 1000 });
  expect(trialNotes({ measurement, connected: 1, fleet } as unknown as Trial, [], undefined)).toContain(
    'gap from 0.0 to 4.0 s on 2 lanes of an agent that reported nothing: 0 withheld, at most 116 unknown',
  );
});
