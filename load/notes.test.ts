import { expect, it } from 'vitest';
import { Measurement } from './measurement.ts';
import { trialNotes } from './notes.ts';
import { testPart, testSlice } from './testing/slices.ts';
import type { Trial } from './trial.ts';

it('names the limit that requests waited for', () => {
  const measurement = new Measurement({ warmupMs: 0, durationMs: 1000 });
  measurement.add(0, [testSlice(0, [testPart(100)], { late: 40, connections: 50 })]);
  const [note] = trialNotes({ measurement } as Trial, [], undefined);
  expect(note).toContain(
    '40 of 100 requests waited for a free connection, with 50 open (--connections sets the limit)',
  );
});
