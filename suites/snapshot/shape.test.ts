import { expect, test } from 'vitest';
import { compareRecorded } from './compare.ts';
import { merge, shapeIn, withoutValues } from './shape.ts';
import type { JsonShape } from './shape.ts';

const response = (body: JsonShape, status = 200) => ({ statuses: [status], mediaTypes: ['application/json'], body });
const subjects = (recorded: JsonShape, seen: JsonShape): readonly string[] =>
  compareRecorded(response(recorded), response(seen)).map((each) => each.subject);

function item(id: string, name: string): JsonShape {
  return shapeIn({ id, name, at: '2026-01-02T03:04:05Z', isActive: false, state: 'Pending', order: 4 });
}

test('ids, times and names are not recorded; booleans and enumeration values are', () => {
  const one = item('0b7e6a1c-0000-4000-8000-000000000001', 'assay-x-n1');
  expect(one).toEqual(item('0b7e6a1c-0000-4000-8000-000000000002', 'assay-y-n2'));
  expect(one.members?.['isActive']).toEqual({ types: ['boolean'], values: [false] });
  expect(one.members?.['state']).toEqual({ types: ['string'], values: ['Pending'] });
});

test('values that vary are recorded as such', () => {
  const both = merge(shapeIn({ a: 1, by: null, on: true }), shapeIn({ a: 1.5, by: 'two words', on: false, more: [1] }));
  expect(both.members).toEqual({
    a: { types: ['integer', 'number'] },
    by: { types: ['null', 'string'] },
    more: { types: ['array'], items: { types: ['integer'] }, optional: true },
    on: { types: ['boolean'], values: [false, true] },
  });
  expect(subjects(both, shapeIn({ a: 2, by: 'any text', on: true }))).toEqual([]);
});

test('a value that was always null is reported once it is not, unless others created the item', () => {
  const recorded = shapeIn({ by: null, on: true });
  expect(subjects(recorded, shapeIn({ by: 'two words', on: true }))).toEqual(['/by type string']);
  expect(subjects(withoutValues(recorded), withoutValues(shapeIn({ by: 'two words', on: false })))).toEqual([]);
});

test('each kind of difference has a subject', () => {
  const recorded = shapeIn({ id: '0b7e6a1c-0000-4000-8000-000000000001', isActive: false, tags: [{ a: 1 }] });
  expect(subjects(recorded, shapeIn({ id: 'no uuid', isActive: true, tags: [{}], more: 1 }))).toEqual([
    '/id type string',
    '/isActive value',
    '/tags/*/a missing',
    '/more new',
  ]);
  expect(subjects(recorded, shapeIn([]))).toEqual(['body type array']);
  expect(compareRecorded(response(recorded), response(recorded, 201)).map((each) => each.subject)).toEqual([
    'status 201',
  ]);
});
