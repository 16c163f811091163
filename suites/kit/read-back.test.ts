import { describe, expect, it } from 'vitest';
import type { Json } from '../../spec/index.ts';
import type { Formats } from './formats.ts';
import { firstMismatch, lastNames, mismatches } from './read-back.ts';

/** As a description would say: a time, a uuid, and texts. */
const FORMATS: Formats = (pointer) =>
  pointer === '/createdAt'
    ? 'date-time'
    : pointer === '/id'
      ? 'uuid'
      : pointer.startsWith('/any')
        ? undefined
        : 'plain';

function pointers(sent: Json, read: Json, notReturned: readonly string[] = []): readonly string[] {
  return [...mismatches(sent, read, new Set(notReturned), FORMATS)].map((each) => each.pointer);
}

describe('mismatches of what was sent and what is read back', () => {
  it.each([
    ['a trimmed text', { name: ' a ' }, { name: 'a' }, ['/name']],
    ['a lost entry of a map', { metadata: { 'a b': 'x' } }, { metadata: {} }, ['/metadata/a b']],
    [
      'an entry under a key in another case',
      { metadata: { 'Two Words': 'v' } },
      { metadata: { 'two words': 'v' } },
      ['/metadata/Two Words'],
    ],
    [
      'items in another order',
      { rules: [{ name: 'a' }, { name: 'b' }] },
      { rules: [{ name: 'b' }, { name: 'a' }] },
      ['/rules/0/name', '/rules/1/name'],
    ],
    ['a number for a text', { metadata: { a: '1' } }, { metadata: { a: 1 } }, ['/metadata/a']],
    ['the word null for null', { description: null }, { description: 'null' }, ['/description']],
    [
      'a time in the format of a country',
      { description: '2024-02-29T12:00:00Z' },
      { description: '02/29/2024 12:00:00' },
      ['/description'],
    ],
    [
      'a time in another format in free text',
      { metadata: { a: '2024-02-29T12:00:00Z' } },
      { metadata: { a: '2024-02-29T12:00:00.000Z' } },
      ['/metadata/a'],
    ],
    [
      'a uuid in another case in free text',
      { name: 'ABCDEF00-0000-4000-8000-000000000000' },
      { name: 'abcdef00-0000-4000-8000-000000000000' },
      ['/name'],
    ],
    ['an entry where the map was sent empty', { metadata: {} }, { metadata: { team: 'old' } }, ['/metadata/team']],
    ['null for an empty text', { prompt: '' }, { prompt: null }, ['/prompt']],
  ])('reports %s', (_, sent, read, expected) => {
    expect(pointers(sent, read)).toEqual(expected);
  });

  it.each([
    ['a member in another case', { name: 'a' }, { Name: 'a' }],
    ['an entry under the composed key', { metadata: { 'e\u0301': 'v' } }, { metadata: { '\u00e9': 'v' } }],
    ['null that is left out', { description: null }, {}],
    ['an empty list that is null', { rules: [] }, { rules: null }],
    [
      'an empty object that has defaults',
      { condition: {} },
      { condition: { id: '00000000-0000-0000-0000-000000000000', field: null, rules: [{ order: 0 }] } },
    ],
    ['an empty object within a list that is filled', { rules: [{}] }, { rules: [{ order: 1, since: 'v2' }] }],
    ['null that has defaults', { condition: null }, { condition: { order: 0 } }],
    ['a time in another offset', { createdAt: '2024-02-29T12:00:00Z' }, { createdAt: '2024-02-29T14:00:00+02:00' }],
    ['a time of which nothing is said', { any: ['2024-02-29T12:00:00Z'] }, { any: ['2024-02-29T12:00:00.000Z'] }],
    ['a time in another format', { createdAt: '2024-02-29T12:00:00Z' }, { createdAt: '2024-02-29T12:00:00.000Z' }],
    [
      'a uuid in capitals',
      { id: 'abcdef00-0000-4000-8000-000000000000' },
      { id: 'ABCDEF00-0000-4000-8000-000000000000' },
    ],
    ['added members', { name: 'a' }, { name: 'a', id: 'x' }],
    ['a lone surrogate, which UTF-8 cannot encode', { name: '\uD800' }, { name: '\uFFFD' }],
  ])('accepts %s', (_, sent, read) => {
    expect(pointers(sent, read)).toEqual([]);
  });

  it('ignores members that are known not to be returned', () => {
    expect(lastNames('/rules/0/conditions/rules/3/id')).toBe('rules/id');
    expect(pointers({ condition: {} }, { condition: { newField: 1 } }, ['condition/newField'])).toEqual([]);
    expect(pointers({ rules: [{ id: 'a', name: 'b' }] }, { rules: [{ id: 'c', name: 'b' }] }, ['rules/id'])).toEqual(
      [],
    );
  });
});

it('compares only what any service returns where nothing was learned', () => {
  const rules = {
    setByService: new Set(['id', 'createdat']),
    setElsewhere: new Set(['isactive']),
    alwaysReturned: new Set(['name']),
    volatile: /order/,
    maps: new Set(['metadata']),
  };
  expect(firstMismatch({ name: 'a', prompt: null, extra: 1 }, { name: 'a' }, rules, FORMATS)).toBeUndefined();
  expect(firstMismatch({ name: 'a' }, { Name: 'b' }, rules, FORMATS)).toMatchObject({
    name: 'name',
    expected: '"a"',
    received: '"b"',
  });
  expect(firstMismatch({ name: 'a' }, {}, rules, FORMATS)).toMatchObject({ name: 'name' });
  expect(firstMismatch({ metadata: { a: '1' } }, { metadata: { a: '1', b: '2' } }, rules, FORMATS)).toBeUndefined();
  expect(firstMismatch({ metadata: { a: '1' } }, { metadata: { a: '2' } }, rules, FORMATS)).toMatchObject({
    name: 'metadata',
  });
  expect(firstMismatch({ metadata: { id: '1' } }, { metadata: {} }, rules, FORMATS)).toMatchObject({
    name: 'metadata',
  });
  expect(firstMismatch({ createdAt: 'never' }, { createdAt: 'now' }, rules, FORMATS)).toBeUndefined();
  expect(firstMismatch({ rules: [{ name: 'a', id: 'b' }] }, { rules: [{ id: 'c' }] }, rules, FORMATS)).toBeUndefined();
  expect(firstMismatch({ rules: [{ name: 'a' }] }, { rules: [{ name: 'b' }] }, rules, FORMATS)).toMatchObject({
    name: 'rules',
  });
  expect(firstMismatch({ isActive: true }, { isActive: false }, rules, FORMATS)).toBeUndefined();
  expect(
    firstMismatch({ rules: [{ isActive: true }] }, { rules: [{ isActive: false }] }, rules, FORMATS),
  ).toMatchObject({ name: 'rules', grade: 'inferred' });
  expect(firstMismatch({ skills: [] }, { skills: ['a'] }, rules, FORMATS)).toMatchObject({ name: 'skills' });
});
