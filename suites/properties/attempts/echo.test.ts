import { describe, expect, it } from 'vitest';
import type { Json } from '../../../spec/index.ts';
import { strays, tailOf } from './echo.ts';

function pointers(sent: Json, read: Json, silent: readonly string[] = []): readonly string[] {
  return [...strays(sent, read, new Set(silent))].map((each) => each.pointer);
}

describe('what does not come back as it was sent', () => {
  it.each([
    ['a trimmed text', { name: ' a ' }, { name: 'a' }, ['/name']],
    ['a lost entry of a map', { metadata: { 'a b': 'x' } }, { metadata: {} }, ['/metadata/a b']],
    ['an entry under a key in another case', { metadata: { Key: 'x' } }, { metadata: { key: 'x' } }, ['/metadata/Key']],
    [
      'items in another order',
      { rules: [{ name: 'a' }, { name: 'b' }] },
      { rules: [{ name: 'b' }, { name: 'a' }] },
      ['/rules/0/name', '/rules/1/name'],
    ],
    ['a number for a text', { metadata: { a: '1' } }, { metadata: { a: 1 } }, ['/metadata/a']],
    ['the word for nothing', { description: null }, { description: 'null' }, ['/description']],
    [
      'a time in the way of a country',
      { description: '2024-02-29T12:00:00Z' },
      { description: '02/29/2024 12:00:00' },
      ['/description'],
    ],
    [
      'a time written otherwise in a free text',
      { metadata: { a: '2024-02-29T12:00:00Z' } },
      { metadata: { a: '2024-02-29T12:00:00.000Z' } },
      ['/metadata/a'],
    ],
    [
      'an id in another case in a free text',
      { name: 'ABCDEF00-0000-4000-8000-000000000000' },
      { name: 'abcdef00-0000-4000-8000-000000000000' },
      ['/name'],
    ],
    ['an entry where the map was sent empty', { metadata: {} }, { metadata: { team: 'old' } }, ['/metadata/team']],
    ['nothing for an empty text', { prompt: '' }, { prompt: null }, ['/prompt']],
  ])('tells %s', (_, sent, read, expected) => {
    expect(pointers(sent, read)).toEqual(expected);
  });

  it.each([
    ['a member in another case', { name: 'a' }, { Name: 'a' }],
    ['null that is left out', { description: null }, {}],
    ['an empty list that is null', { rules: [] }, { rules: null }],
    [
      'an empty object that has defaults',
      { condition: {} },
      { condition: { id: '00000000-0000-0000-0000-000000000000', field: null, rules: [{ order: 0 }] } },
    ],
    [
      'an empty object within a list that the deployment fills',
      { rules: [{}] },
      { rules: [{ order: 1, since: 'v2' }] },
    ],
    ['null that has defaults', { condition: null }, { condition: { order: 0 } }],
    ['a time written otherwise', { createdAt: '2024-02-29T12:00:00Z' }, { createdAt: '2024-02-29T12:00:00.000Z' }],
    [
      'a uuid in capitals',
      { id: 'abcdef00-0000-4000-8000-000000000000' },
      { id: 'ABCDEF00-0000-4000-8000-000000000000' },
    ],
    ['what the deployment adds', { name: 'a' }, { name: 'a', id: 'x' }],
    ['a lone surrogate, which UTF-8 has not', { name: '\uD800' }, { name: '\uFFFD' }],
  ])('is quiet about %s', (_, sent, read) => {
    expect(pointers(sent, read)).toEqual([]);
  });

  it('leaves out what the deployment never gives back', () => {
    expect(tailOf('/rules/0/conditions/rules/3/id')).toBe('rules/id');
    expect(pointers({ condition: {} }, { condition: { newField: 1 } }, ['condition/newField'])).toEqual([]);
    expect(pointers({ rules: [{ id: 'a', name: 'b' }] }, { rules: [{ id: 'c', name: 'b' }] }, ['rules/id'])).toEqual(
      [],
    );
  });
});
