import { expect, it } from 'vitest';
import { measuredIn, testPart, testSlice } from '../testing/slices.ts';
import type { Trial } from '../trial.ts';
import { silenceOf } from './silence.ts';

function trial(answered: number, error?: string): Trial {
  const failing = error === undefined ? {} : { failed: 5, errors: [[error, 5]] as const };
  return measuredIn([testSlice(0, [testPart(answered, failing)])]);
}

it.each([
  [[trial(9), trial(0, 'refused'), trial(0, 'reset')], 'stopped'],
  [[trial(0, '401'), trial(0, '403')], 'token'],
  // A target that never answered may be overloaded; so may one that answers with another status, or some requests.
  [[trial(0, 'refused'), trial(0, 'refused')], undefined],
  [[trial(9), trial(0, '503'), trial(0, '503')], undefined],
  [[trial(9), trial(1, 'refused'), trial(0, 'refused')], undefined],
  [[trial(9, '401'), trial(0, '401')], undefined],
])('tells a target that is gone from one that is overloaded (%#)', (trials, silence) => {
  expect(silenceOf(trials)).toBe(silence);
});
