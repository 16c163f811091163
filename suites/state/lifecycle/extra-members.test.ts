import { expect, test } from 'vitest';
import { withReversedLists } from './extra-members.ts';

test('reversed lists keep the members `order` in their places, by which a deployment may sort', () => {
  const [one, two] = [
    { name: 'one', order: 1 },
    { name: 'two', order: 2 },
  ];
  expect(withReversedLists({ skills: ['a', 'b'], rules: [one, two] })).toEqual({
    skills: ['b', 'a'],
    rules: [
      { ...two, order: 1 },
      { ...one, order: 2 },
    ],
  });
});
