import { expect, test } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { gapIn } from './short-lists.ts';

const setting = (...ids: readonly number[]): Exchange =>
  ({ request: { body: Buffer.from(JSON.stringify(ids.map((id) => ({ id })))) } }) as unknown as Exchange;

test('the gap of a shortened list is where most of the entries are missing', () => {
  const whole = setting(1, 2, 3, 4, 5, 6);
  expect(gapIn(setting(1, 6), whole)).toBe(1);
  expect(gapIn(setting(5, 6), whole)).toBe(0);
  expect(gapIn(setting(1, 2), whole)).toBe(2);
  expect(gapIn(setting(2, 6), whole)).toBe(1);
});

test('a whole list and a request that sets none have no gap', () => {
  expect(gapIn(setting(1, 2), setting(1, 2))).toBeUndefined();
  expect(gapIn(setting(1), undefined)).toBeUndefined();
});
