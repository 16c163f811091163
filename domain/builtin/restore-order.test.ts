import { expect, test } from 'vitest';
import { missingFrom } from '../../suites/kit/read-back.ts';
import { inSavedOrder } from './restore-order.ts';

const ids = (text: string): { id: string }[] => Array.from(text, (id) => ({ id }));

test('what was saved takes its places in the saved order, newcomers keep theirs, the gone stay gone', () => {
  expect(
    inSavedOrder(ids('cxba'), ['A', 'b', 'c', 'gone'])
      .map((each) => each.id)
      .join(''),
  ).toBe('axbc');
  expect(
    inSavedOrder(ids('xy'), [])
      .map((each) => each.id)
      .join(''),
  ).toBe('xy');
});

test('what was sent is looked for in what is read', () => {
  expect(missingFrom({ name: 'a', prompt: null, extra: 1 }, { name: 'a' })).toBeUndefined();
  expect(missingFrom({ name: 'a' }, { Name: 'b' })).toEqual({ name: 'name', expected: '"a"', received: '"b"' });
  expect(missingFrom({ name: 'a' }, {})).toMatchObject({ name: 'name' });
  expect(missingFrom({ metadata: { a: '1' } }, { metadata: { a: '1', b: '2' } })).toBeUndefined();
  expect(missingFrom({ metadata: { a: '1' } }, { metadata: { a: '2' } })).toMatchObject({ name: 'metadata' });
  expect(missingFrom({ createdAt: 'never' }, { createdAt: 'now' })).toBeUndefined();
});
