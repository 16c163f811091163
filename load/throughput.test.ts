import { expect, it } from 'vitest';
import { Measurement } from './measurement.ts';
import { testPart, testSlice } from './testing/slices.ts';
import { sentBy } from './throughput.ts';
import type { Trial } from './trial.ts';

it('counts what a lost agent may have sent among the requests without an answer', () => {
  const measurement = new Measurement({ warmupMs: 0, durationMs: 1000 });
  measurement.add(0, [testSlice(0, [testPart(100)], { sent: 103 })]);
  expect(sentBy([{ measurement } as Trial], undefined).sent?.unanswered).toBe(3);
  const fleet = { requests: { unknown: 40 } };
  expect(sentBy([{ measurement, fleet } as Trial], undefined).sent?.unanswered).toBe(40);
});
