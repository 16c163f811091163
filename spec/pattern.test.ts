import { expect, test } from 'vitest';
import { patternExpression } from './pattern.ts';

test('a pattern that backtracks without end gives up on long texts, and decides short ones', () => {
  const began = performance.now();
  for (const undecided of [true, false]) {
    const expression = patternExpression('^(([a-z])+.)+[A-Z]([a-z])+$', '', undecided);
    expect(expression.test('abcXyz')).toBe(true);
    expect(expression.test('abc')).toBe(false);
    for (let length = 1000; length > 100; length -= 1) expect(expression.test('a'.repeat(length))).toBe(undecided);
  }
  expect(performance.now() - began).toBeLessThan(5000);
});

test('other patterns decide all texts', () => {
  const email = patternExpression('^[^@]+@[^@]+$', '', true);
  expect(email.test(`${'a'.repeat(9999)}@b`)).toBe(true);
  expect(email.test('a'.repeat(9999))).toBe(false);
});
