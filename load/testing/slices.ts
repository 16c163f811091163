import type { Slice, SlicePart } from '../engines/messages.ts';

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
