import { expect, test } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { Exchange, Json } from '../../spec/index.ts';
import { apartFrom, differences, ownDifferences, sameShape, shapeOf, valuesAt } from './compare.ts';

test('differences are JSON pointers; uuids are equal in either case', () => {
  expect(differences({ a: [1, 2], 'b/c': 1 }, { a: [1, 3], 'b/c': 2 })).toEqual(['/a/1', '/b~1c']);
  expect(differences([1], [1, 2])).toEqual(['']);
  expect(differences('0AD2B3E8-0B3F-4E2A-9F57-2C1A7BE40F11', '0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f11')).toEqual([]);
  expect(differences('Name', 'name')).toEqual(['']);
});

test('what differs is named by its types', () => {
  const label = { state: { label: 'Pending' } };
  expect(valuesAt({ state: 'Pending' }, label, '/state')).toEqual({
    expected: 'a string at /state',
    received: 'an object at /state',
  });
  expect(valuesAt({ a: 1 }, { a: 2 }, '/a').received).toBe('another value at /a');
  expect(valuesAt('OK', {}, '')).toEqual({ expected: 'a string', received: 'an object' });
  expect(valuesAt([1], [1, 2], '')).toEqual({ expected: 'a list of 1 item', received: 'a list of 2 items' });
});

test('what lies in an item that moved is not apart from it', () => {
  expect(apartFrom(['/data/1/name', '/data/10/name', '/total'], ['/data/1/id'])).toEqual(['/data/10/name', '/total']);
  expect(apartFrom(['/0/name', '/0/order'], ['/0/order'])).toEqual(['/0/name']);
  expect(apartFrom(['/0/name', ''], [''])).toEqual([]);
});

test('shapes are the same despite nulls, empty lists and absent members that are null', () => {
  expect(sameShape(shapeOf({ a: 1, b: null }), shapeOf({ a: 2, b: 'x' }))).toBe(true);
  expect(sameShape(shapeOf({ a: [] }), shapeOf({ a: [{ b: 1 }] }))).toBe(true);
  expect(sameShape(shapeOf({ a: 1, b: null }), shapeOf({ a: 1 }))).toBe(true);
  expect(sameShape(shapeOf({ a: 1 }), shapeOf({ a: '1' }))).toBe(false);
  expect(sameShape(shapeOf({ a: 1 }), shapeOf({ A: 1 }))).toBe(false);
});

test('a member that the service computes from one that changes by itself is no difference of its own', async () => {
  const t = { contract: await loadContract(), knowledge: { members: { volatile: /^\/order$/ } } } as never;
  const read = (json: Json): Exchange =>
    ({ operation: 'GET /accesscontrolpolicies/{id}', response: { json } }) as never;
  const policy = { name: 'a', label: '1: a', order: 1 };
  expect(ownDifferences(t, read(policy), read({ ...policy, label: '2: a', order: 2 }))).toEqual([]);
  expect(ownDifferences(t, read(policy), read({ ...policy, label: '2: a' }))).toEqual(['/label']);
  expect(ownDifferences(t, read(policy), read({ ...policy, name: 'b', order: 2 }))).toEqual(['/name']);
});
