import { expect, test } from 'vitest';
import { inSavedOrder } from './restore-order.ts';

const ids = (text: string): { id: string }[] => Array.from(text, (id) => ({ id }));

test('saved items take their saved places, new items keep theirs, deleted items are not restored', () => {
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
