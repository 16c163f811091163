import { expect, test } from 'vitest';
import type { Exchange, Json } from '../spec/index.ts';
import {
  asInstant,
  keyOf,
  keysShowing,
  idForPath,
  idOf,
  idsOf,
  itemIn,
  itemsIn,
  isUuid,
  itemsOf,
  keysIn,
  keysOf,
  memberLike,
  mentions,
  numberDuplicates,
} from './items.ts';

test('a list is an array, or in a wrapper the array with a usual name or the only one, at most two levels down', () => {
  expect(itemsOf([1])).toEqual([1]);
  expect(itemsOf({ total: 1, data: [1] })).toEqual([1]);
  expect(itemsOf({ errors: [], Data: [1] })).toEqual([1]);
  expect(itemsOf({ items: [1], errors: [] })).toEqual([1]);
  expect(itemsOf({ agents: [1], errors: [] })).toEqual([1]);
  expect(itemsOf({ agents: [1], jobs: [] })).toBeUndefined();
  expect(itemsOf({ result: { agents: [1], total: 1 }, links: { self: '/' } })).toEqual([1]);
  expect(itemsOf({ result: { agents: [1] }, errors: [], messages: [] })).toEqual([1]);
  expect(itemsOf({ a: { agents: [1] }, b: { jobs: [1] } })).toBeUndefined();
  expect(itemsOf({ a: { b: { agents: [1] } } })).toBeUndefined();
  expect(itemsOf({})).toBeUndefined();
  expect(itemsOf('text')).toBeUndefined();
});

test('only a successful response has items: the body of an error may list its causes', () => {
  const exchange = (status: number, json?: Json): Parameters<typeof itemsIn>[0] => ({
    response: { status, json } as unknown as Exchange['response'],
  });
  expect(itemsIn(exchange(200, { data: [1] }))).toEqual([1]);
  expect(itemsIn(exchange(204))).toEqual([]);
  expect(itemsIn(exchange(200, { totalCount: 0 }))).toEqual([]);
  expect(itemsIn(exchange(200, { totalCount: 7, pageSize: 5, currentPage: 3, data: null }))).toEqual([]);
  expect(itemsIn(exchange(200, { totalCount: 7, pageSize: 5, currentPage: 2 }))).toBeUndefined();
  expect(itemsIn(exchange(200, { totalCount: 7, data: null }))).toBeUndefined();
  expect(itemsIn(exchange(200, { totalCount: 0, data: 'none' }))).toBeUndefined();
  expect(itemsIn(exchange(200, { totalCount: null }))).toBeUndefined();
  expect(itemsIn(exchange(200, { message: 'no list' }))).toBeUndefined();
  expect(itemsIn(exchange(400, { errors: { name: ['bad'] } }))).toBeUndefined();
  expect(keysIn(exchange(404, { 'invalid-params': [{ name: 'page' }] }))).toBeUndefined();
  expect(itemsIn(undefined)).toBeUndefined();
});

test('ids are found in items and are in lower case', () => {
  expect(idOf({ Id: 'ABC' })).toBe('abc');
  expect(idOf({ runId: 'R1', name: 'x' }, 'runId')).toBe('r1');
  expect(idOf({ chatId: 'C1', type: 'x' })).toBeUndefined();
  expect(idsOf([{ id: 'a' }, {}])).toBeUndefined();
  expect(isUuid('0AD2B3E8-0B3F-4E2A-9F57-2C1A7BE40F11')).toBe(true);
  expect(isUuid('0ad2b3e8')).toBe(false);
});

test('a text is an id for a path, but not a whole body in quotes', () => {
  expect(idForPath('AI-17')).toBe('AI-17');
  expect(idForPath('{"id":"AI-17"}')).toBeUndefined();
  expect(idForPath('')).toBeUndefined();
});

test('a tag is found in strings at any depth', () => {
  expect(mentions({ a: [{ b: 'xx-Tag-yy' }] }, 'tag')).toBe(true);
  expect(mentions({ tag: 1 }, 'tag')).toBe(false);
});

test('items without ids are identified by their content, whatever the order of members', () => {
  const list = [{ id: 'A' }, { chatId: 'c', type: 'x' }, { type: 'x', chatId: 'c' }];
  const [first, second, third] = numberDuplicates(keysOf(list) ?? []);
  expect(first).toBe('a');
  expect(third).toBe(`${second} (2)`);
});

test('spelling does not matter in the content that identifies an item', () => {
  const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const other = { chatId: id.toUpperCase(), note: null, at: '2026-01-01T03:00:00.500+02:00' };
  expect(keyOf({ at: '2026-01-01T01:00:00.5Z', chatId: id })).toBe(keyOf(other));
  expect(asInstant('2026-01-01T01:00:00')).toBeUndefined();
});

test('a copy under another name is another item, what one creation made twice is not', () => {
  const made = { id: 'a', name: 'assay-1', description: 'Created by assay-1' };
  const copy = { id: 'b', name: 'Copy of assay-1', description: 'Created by assay-1' };
  expect(keysShowing('assay-1', [copy, made], 'a')).toEqual(['a']);
  expect(keysShowing('assay-1', [copy, made, { ...made, id: 'c' }], 'a')).toEqual(['a', 'c']);
  expect(keysShowing('assay-2', [copy, made], 'a')).toEqual([]);
});

test('finds an item in a response and in a wrapper of one', () => {
  const id = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const item = { id: id.toUpperCase(), name: 'a' };
  expect(itemIn(item, id)).toBe(item);
  expect(itemIn({ links: [], agent: item }, id)).toBe(item);
  expect(itemIn({ id: 'another', agent: item }, id)).toEqual({ id: 'another', agent: item });
  expect(itemIn({ name: 'a' }, id)).toEqual({ name: 'a' });
});

test('a member is found whatever the case of its name', () => {
  expect(memberLike({ Id: 'a', State: 'Approved' }, 'state')).toBe('Approved');
  expect(memberLike({ id: 'a' }, 'state')).toBeUndefined();
  expect(memberLike('state', 'state')).toBeUndefined();
});
