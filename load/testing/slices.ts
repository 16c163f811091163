import type { Slice, SlicePart } from '../engines/messages.ts';
import { Measurement } from '../measurement.ts';
import type { SliceSummary } from '../measurement.ts';
import type { Trial } from '../trial.ts';

export function testPart(answered: number, given: Partial<SlicePart> = {}): SlicePart {
  return {
    part: 'all',
    operation: 'GET /',
    answered,
    failed: 0,
    statuses: [[200, answered]],
    errors: [],
    latencies: new Float64Array(),
    ...given,
  };
}

/** A slice of 250 ms in which every request was answered. */
export function testSlice(index: number, parts: readonly SlicePart[], given: Partial<Slice> = {}): Slice {
  const sent = parts.reduce((sum, { answered }) => sum + answered, 0);
  return {
    index,
    spanMs: 250,
    sent,
    from: 0,
    to: sent,
    sentTo: sent,
    withheld: 0,
    late: 0,
    unsent: 0,
    refused: 0,
    inFlight: 0,
    backlog: 0,
    connections: 1,
    busy: 0,
    lag: new Float64Array(),
    parts,
    samples: [],
    failedIds: [],
    ...given,
  };
}

/** What a trial of these slices measured. */
export function measuredIn(slices: readonly Slice[], { warmupMs = 0, durationMs = 1000 } = {}): Trial {
  const measurement = new Measurement({ warmupMs, durationMs });
  for (const slice of slices) measurement.add(slice.index, [slice]);
  return { measurement } as Trial;
}

/** The summary of a slice of 250 ms on one connection. */
export function testSummary(index: number, given: Partial<SliceSummary>): SliceSummary {
  const counts = { answered: 0, failed: 0, sent: 0, inFlight: 0, backlog: 0, connections: 1, busy: 0 };
  return { index, spanMs: 250, ...counts, p50: 1, p99: 1, draining: false, ...given };
}
