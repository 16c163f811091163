import { expect, test } from 'vitest';
import { excerpt } from './excerpt.ts';

const numbered = (ids: (hex: string) => string): string[] => Array.from('0123456789ab', ids);
const turned = (ids: readonly string[]): string[] => ids.with(5, ids[6] ?? '').with(6, ids[5] ?? '');

test.each([
  [
    'by their start',
    (hex: string) => `${hex}a1b2c3d-7c00-4000-8000-000000000001`,
    '3a1b2c3d, 4a1b2c3d, 5a1b2c3d, 6a1b2c3d',
  ],
  [
    'by their end, where they start with the same time',
    (hex: string) => `01a23025-7c00-7000-8000-00000000000${hex}`,
    '…00000003, …00000004, …00000005, …00000006',
  ],
  [
    'whole, where both are alike',
    (hex: string) => `01a23025-7c0${hex}-7000-8000-000000000001`,
    '01a23025-7c03-7000-8000-000000000001, 01a23025-7c04-7000-8000-000000000001, 01a23025-7c05',
  ],
])('ids around the first difference are shown %s', (_, id, shown) => {
  const ids = numbered(id);
  const text = excerpt(ids, turned(ids));
  expect(text).toContain(`… ${shown}`);
  expect(text).toMatch(/ … \(of 12, from place 4\)$/);
});

test('a short list is shown whole', () => {
  expect(excerpt(['a', 'b'], ['b', 'a'])).toBe('a, b (of 2)');
});

test('a list that ends early is shown from the same place as the other', () => {
  const ids = numbered((hex) => hex);
  expect(excerpt(ids, ids.slice(0, 10))).toBe('… 8, 9, a, b (of 12, from place 9)');
  expect(excerpt(ids.slice(0, 10), ids)).toBe('… 8, 9 (of 10, from place 9)');
});
