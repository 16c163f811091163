import { expect, test } from 'vitest';
import { asTexts } from './as-texts.ts';

test('short values are shown as they are', () => {
  expect(asTexts({ a: 1 }, undefined)).toEqual(['{"a":1}', 'nothing']);
});

test('long values show where they differ, and how long they are', () => {
  const [expected, received] = asTexts('a'.repeat(256), 'a'.repeat(255));
  expect(expected).toMatch(/^…a{61}" \(256 characters\)$/u);
  expect(received).toMatch(/^…a{60}" \(255 characters\)$/u);
  const [one, other] = asTexts(['x'.repeat(300), 'y'.repeat(300)], ['x'.repeat(300)]);
  expect(one).toMatch(/^…x+","y+… \(607 characters\)$/u);
  expect(other).toMatch(/^…x+"\] \(304 characters\)$/u);
  expect(asTexts('b'.repeat(300), 'a')).toEqual([`"${'b'.repeat(199)}… (300 characters)`, '"a"']);
});

test('values that look alike are escaped', () => {
  expect(asTexts('\u00e9', 'e\u0301')).toEqual(['"\\u00e9"', '"e\\u0301"']);
});
