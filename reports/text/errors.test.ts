import { expect, test } from 'vitest';
import { errorGroups, splitErrors } from './errors.ts';

const LOST = { message: 'the target is gone', hint: 'Start it.' };

test('an error of many tests is listed once, with their number', () => {
  const errors = [
    { ...LOST, test: 'a' },
    { message: 'another', test: 'b' },
    { ...LOST, test: 'c' },
  ];
  expect(errorGroups(errors)).toEqual([
    { ...LOST, where: '2 tests, first a' },
    { message: 'another', where: 'b' },
  ]);
});

test('the error that the verdict is about is not listed again', () => {
  const errors = [LOST, { ...LOST, test: 'a' }];
  expect(splitErrors({ verdict: 'error', errors })).toEqual({ headline: LOST, others: [{ ...LOST, where: 'a' }] });
  expect(splitErrors({ verdict: 'failed', errors }).headline).toBeUndefined();
});
