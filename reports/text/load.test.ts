import { expect, test } from 'vitest';
import { outcomeText } from './load.ts';

test('a status that was expected by some requests only is told once', () => {
  const figures = { statuses: { 200: 1065, 204: 2 }, errors: { 200: 65, 503: 3, timeout: 1 } };
  expect(outcomeText(figures)).toBe('200×1,130 (65 not as expected), 204×2, 503×3, timeout×1');
  expect(outcomeText({ errors: { 200: 5 } })).toBe('200×5');
});
