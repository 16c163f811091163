import { expect, test } from 'vitest';
import { patternExpression, patternProblem } from './pattern.ts';

test('a pattern that backtracks without end gives up on long texts, and decides short ones', () => {
  const began = performance.now();
  for (const undecided of [true, false]) {
    const expression = patternExpression('^(([a-z])+.)+[A-Z]([a-z])+$', undecided);
    expect(expression.test('abcXyz')).toBe(true);
    expect(expression.test('abc')).toBe(false);
    for (let length = 1000; length > 100; length -= 1) expect(expression.test('a'.repeat(length))).toBe(undecided);
  }
  expect(performance.now() - began).toBeLessThan(5000);
});

test('other patterns decide all texts', () => {
  const email = patternExpression('^[^@]+@[^@]+$', true);
  expect(email.test(`${'a'.repeat(9999)}@b`)).toBe(true);
  expect(email.test('a'.repeat(9999))).toBe(false);
});

test('properties of Unicode and code points are read as such', () => {
  for (const pattern of [String.raw`^[\p{L} ]+$`, String.raw`^[\u{41}-\u{ff}]+$`]) {
    expect(patternProblem(pattern)).toBeUndefined();
    expect(patternExpression(pattern, true).test('Zoë')).toBe(true);
    expect(patternExpression(pattern, false).test('12')).toBe(false);
  }
  expect(patternExpression(String.raw`^\\p{2}$`, true).test(String.raw`\pp`)).toBe(true);
});

test('texts that engines count differently are undecided', () => {
  for (const undecided of [true, false]) {
    expect(patternExpression('^.$', undecided).test('😀')).toBe(undecided);
    expect(patternExpression('^.{2}$', undecided).test('😀')).toBe(undecided);
    expect(patternExpression('^[😀]+$', undecided).test('😀')).toBe(true);
    expect(patternExpression('^.$', undecided).test('ab')).toBe(false);
  }
});

test.each([
  String.raw`\A[a-z]+\z`,
  String.raw`^\pL+$`,
  String.raw`^\p{Alnum}+$`,
  '^[[:alpha:]]+$',
  '/^[a-z]+$/i',
  '(?i)^a$',
])('%s is not ECMA-262', (pattern) => {
  expect(patternProblem(pattern)).toMatch(/./);
});

test.each([String.raw`^\\A$`, '/pub/[a-z]+', '^[:a]$', String.raw`^\_\-\@$`])('%s can be used', (pattern) => {
  expect(patternProblem(pattern)).toBeUndefined();
});
