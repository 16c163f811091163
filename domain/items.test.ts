import { expect, test } from 'vitest';
import { differences, sameShape, shapeOf } from '../suites/kit/compare.ts';
import { idOf, idsOf, isUuid, itemsOf, mentions } from './items.ts';

test('a list is an array or the one array of a wrapper', () => {
  expect(itemsOf([1])).toEqual([1]);
  expect(itemsOf({ total: 1, data: [1] })).toEqual([1]);
  expect(itemsOf({ data: [1], errors: [] })).toBeUndefined();
  expect(itemsOf({})).toBeUndefined();
  expect(itemsOf('text')).toBeUndefined();
});

test('ids are compared in lower case, wherever they stand', () => {
  expect(idOf({ Id: 'ABC' })).toBe('abc');
  expect(idOf({ runId: 'R1', name: 'x' })).toBe('r1');
  expect(idOf({ runId: 'R1', chatId: 'C1' })).toBeUndefined();
  expect(idsOf([{ id: 'a' }, {}])).toBeUndefined();
  expect(isUuid('0AD2B3E8-0B3F-4E2A-9F57-2C1A7BE40F11')).toBe(true);
  expect(isUuid('0ad2b3e8')).toBe(false);
});

test('a tag is found wherever some text holds it', () => {
  expect(mentions({ a: [{ b: 'xx-Tag-yy' }] }, 'tag')).toBe(true);
  expect(mentions({ tag: 1 }, 'tag')).toBe(false);
});

test('differences are told by pointer; uuids in another case are the same', () => {
  expect(differences({ a: [1, 2], 'b/c': 1 }, { a: [1, 3], 'b/c': 2 })).toEqual(['/a/1', '/b~1c']);
  expect(differences([1], [1, 2])).toEqual(['']);
  expect(differences('0AD2B3E8-0B3F-4E2A-9F57-2C1A7BE40F11', '0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f11')).toEqual([]);
  expect(differences('Name', 'name')).toEqual(['']);
});

test('shapes agree but for nulls, empty lists and members left out as null', () => {
  expect(sameShape(shapeOf({ a: 1, b: null }), shapeOf({ a: 2, b: 'x' }))).toBe(true);
  expect(sameShape(shapeOf({ a: [] }), shapeOf({ a: [{ b: 1 }] }))).toBe(true);
  expect(sameShape(shapeOf({ a: 1, b: null }), shapeOf({ a: 1 }))).toBe(true);
  expect(sameShape(shapeOf({ a: 1 }), shapeOf({ a: '1' }))).toBe(false);
  expect(sameShape(shapeOf({ a: 1 }), shapeOf({ A: 1 }))).toBe(false);
});
