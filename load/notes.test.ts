import { expect, it } from 'vitest';
import { trialNotes } from './notes.ts';
import { Latencies } from './engines/latencies.ts';
import type { Slice, SlicePart } from './engines/messages.ts';
import { measuredIn, testPart, testSlice } from './testing/slices.ts';
import type { Trial } from './trial.ts';

const notesOf = (trial: Partial<Trial>): readonly string[] => trialNotes(trial as Trial, [], undefined);

/** Slices of a trial, the same but for their indices. */
const slices = (count: number, ...[parts, given]: [SlicePart[], Partial<Slice>?]): Slice[] =>
  Array.from({ length: count }, (_, index) => testSlice(index, parts, given));

it('says from when on nothing succeeded, and why requests were not sent', () => {
  const failing = { failed: 5, errors: [['refused', 5]] } as const;
  const [, , ...refused] = slices(6, [testPart(0, failing)], { unsent: 5 });
  const all = [testSlice(0, [testPart(100)]), testSlice(1, [testPart(3, failing)]), ...refused];
  expect(notesOf(measuredIn(all, { durationMs: 3000 }))).toEqual([
    '20 requests not sent because no connection could be established',
    'after 0.5 s no request succeeded: the target may have stopped',
  ]);
});

it('does not say that a target has stopped which answers', () => {
  const all = slices(8, [testPart(0, { failed: 5, errors: [['401', 5]] })]);
  const [note] = notesOf(measuredIn([testSlice(0, [testPart(100)]), ...all.slice(1)], { durationMs: 3000 }));
  expect(note).toBe('after 0.3 s no request succeeded: the target answered with 401');
});

it('names the limit that requests waited for', () => {
  const [note] = notesOf(measuredIn(slices(1, [testPart(100)], { late: 40, connections: 50 })));
  expect(note).toContain(
    '40 of 100 requests waited for a free connection, with 50 connections open (--connections sets the limit)',
  );
});

it('names a rate limit, with what it accepts', () => {
  const trial = measuredIn(slices(4, [testPart(37, { failed: 12, errors: [['429', 12]] })]));
  expect(notesOf(trial).join()).toContain('it refused 48 requests with 429 and accepted 148 per second');
});

it('blames nothing for a trial that was stopped before it began', () => {
  const trial = { ...measuredIn([]), connected: 0 };
  expect(notesOf({ ...trial, stopped: true })).toEqual([]);
  expect(notesOf({ ...trial, stopped: false })).toEqual(['no connection could be established at the start']);
});

it('names the stalls of the generator that its p99 does not show', () => {
  const all = Array.from({ length: 12 }, (_, index) => {
    const lag = new Latencies();
    for (let request = 0; request < 300; request += 1) lag.record(0.2);
    if (index === 0 || index % 5 === 4) lag.record(index === 0 ? 900 : 120 + index);
    return testSlice(index, [testPart(100)], { lag: lag.take() });
  });
  const [note] = notesOf(measuredIn(all, { warmupMs: 250, durationMs: 3000 }));
  expect(note).toMatch(/^the load generator itself stalled 2 times, for up to 129 ms/);
});

it('names a gap of an agent that was lost before its first report', () => {
  const gap = { agent: '', zone: '', lanes: 2, fromMs: 0, toMs: 4000, withheld: 0, unknownAtMost: 116 };
  const requests = { planned: 1, answered: 1, failed: 0, unsent: 0, refused: 0, withheld: 0, unknown: 0 };
  const fleet = { requests, balanced: true, agents: 3, lost: ['a'], gaps: [gap], boundMs: 0.1 };
  expect(notesOf({ ...measuredIn([]), connected: 1, fleet } as unknown as Trial)).toContain(
    'gap from 0.0 to 4.0 s on 2 lanes of an agent that reported nothing: 0 withheld, at most 116 unknown',
  );
});
