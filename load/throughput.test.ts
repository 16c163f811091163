import { expect, it } from 'vitest';
import { measuredIn, testPart, testSlice } from './testing/slices.ts';
import { sentBy } from './throughput.ts';
import type { Trial } from './trial.ts';

it('counts what a lost agent may have sent among the requests without an answer', () => {
  const trial = measuredIn([testSlice(0, [testPart(100)], { sent: 103 })]);
  expect(sentBy([trial], undefined).sent?.unanswered).toBe(3);
  const fleet = { requests: { unknown: 40 } };
  expect(sentBy([{ ...trial, fleet } as Trial], undefined).sent?.unanswered).toBe(40);
});
