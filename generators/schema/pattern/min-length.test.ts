import { expect, test } from 'vitest';
import { minLengthOf } from './min-length.ts';
import { patternTexts } from './pattern-texts.ts';

test.each([
  ['^abc$', 3],
  ['^a{3}b+c*$', 4],
  ['^(ab){2,5}$', 4],
  ['^(a|bcd)\\.[x-z]{2}$', 6],
  ['(a{10}){10}', 100],
  ['^[^\\]]+(?:-\\d{4})?$', 1],
  ['\\u00e4\\p{L}{2}', 3],
])('%s needs about %i characters', (pattern, length) => {
  expect(minLengthOf(pattern)).toBe(length);
});

test('repetitions within repetitions end soon, and long texts are found all the same', () => {
  const domain = String.raw`^((xn--)?[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*\.)+[a-zA-Z]{2,}\.?$`;
  const texts = patternTexts([domain], { min: 4, max: 253 }, undefined);
  expect(texts.length).toBeGreaterThan(10);
  expect(patternTexts(['^(([a-z]{100}){100}){100}$'], { min: 0, max: Infinity }, undefined)).toEqual([]);
});
