import { expect, test } from 'vitest';
import type { Exchange, Json } from '../spec/index.ts';
import { isNamed } from './own-ids.ts';

function created(sent: Json, json: Json, status = 201): Exchange {
  const request = { url: 'http://127.0.0.1:8011/items', body: Buffer.from(JSON.stringify(sent)) };
  return { request, response: { status, json } } as unknown as Exchange;
}

test('a new item may have its id as another value of its own, but not as a reference', () => {
  const sent = { price: 11, size: { width: 11 }, note: '11 of them' };
  expect(isNamed(created(sent, { data: { id: 11, ...sent } }), '11')).toBe(false);
  expect(isNamed(created(sent, { id: 11, ...sent }, 200), '11'), 'an existing one may have been updated').toBe(true);
  expect(isNamed(created({ item: 11 }, { id: 11, name: 'a' }), '11')).toBe(true);
  expect(isNamed(created({ id: 11, name: 'a' }, { id: 11, name: 'a' }), '11')).toBe(true);
  expect(isNamed(created({ name: 'blue' }, { id: 'blue', name: 'blue' }), 'blue')).toBe(true);
});
