import { expect, test } from 'vitest';
import { driftsOf } from './drift.ts';
import { merge, shapeOf, withoutValues } from './shape.ts';
import type { Shape } from './shape.ts';

const answer = (body: Shape, status = 200) => ({ statuses: [status], mediaTypes: ['application/json'], body });
const causes = (learned: Shape, seen: Shape): readonly string[] =>
  driftsOf(answer(learned), answer(seen)).map((each) => each.cause);

function item(id: string, name: string): Shape {
  return shapeOf({ id, name, at: '2026-01-02T03:04:05Z', isActive: false, state: 'Pending', order: 4 });
}

test('ids, times and names leave no trace; flags and words do', () => {
  const one = item('0b7e6a1c-0000-4000-8000-000000000001', 'assay-x-n1');
  expect(one).toEqual(item('0b7e6a1c-0000-4000-8000-000000000002', 'assay-y-n2'));
  expect(one.members?.['isActive']).toEqual({ types: ['boolean'], values: [false] });
  expect(one.members?.['state']).toEqual({ types: ['text'], values: ['Pending'] });
});

test('what varies is learned as varying', () => {
  const both = merge(shapeOf({ a: 1, by: null, on: true }), shapeOf({ a: 1.5, by: 'two words', on: false, more: [1] }));
  expect(both.members).toEqual({
    a: { types: ['integer', 'number'] },
    by: { types: ['null', 'text'] },
    more: { types: ['list'], items: { types: ['integer'] }, optional: true },
    on: { types: ['boolean'], values: [false, true] },
  });
  expect(causes(both, shapeOf({ a: 2, by: 'any text', on: true }))).toEqual([]);
});

test('what always was null is told once it is not, unless others made it', () => {
  const learned = shapeOf({ by: null, on: true });
  expect(causes(learned, shapeOf({ by: 'two words', on: true }))).toEqual(['/by is text']);
  expect(causes(withoutValues(learned), withoutValues(shapeOf({ by: 'two words', on: false })))).toEqual([]);
});

test('each kind of drift is named', () => {
  const learned = shapeOf({ id: '0b7e6a1c-0000-4000-8000-000000000001', isActive: false, tags: [{ a: 1 }] });
  expect(causes(learned, shapeOf({ id: 'no uuid', isActive: true, tags: [{}], more: 1 }))).toEqual([
    '/id is text',
    'another value at /isActive',
    '/tags/*/a is gone',
    '/more is new',
  ]);
  expect(causes(learned, shapeOf([]))).toEqual(['the body is list']);
  expect(driftsOf(answer(learned), answer(learned, 201)).map((each) => each.cause)).toEqual(['status 201']);
});
