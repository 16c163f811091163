import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { serve, targetOf } from '../../client/testing/fixtures.ts';
import type { Target } from '../../client/index.ts';
import { loadContract } from '../../spec/index.ts';
import { inSavedOrder, restoreOrder } from './restore-order.ts';

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

/** A target whose requests are answered by a handler. */
const targetBy = async (answer: RequestListener): Promise<Target> =>
  targetOf(await serve(answer), { tokens: { full: 'full' } });

test('an order is set once where reads show it late', async () => {
  let [sets, shown, wanted] = [0, ids('ba'), ids('ba')];
  const target = await targetBy((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shown));
    if (request.method !== 'POST') return;
    sets += 1;
    request.on('data', (chunk: Buffer) => (wanted = JSON.parse(chunk.toString())));
    setTimeout(() => (shown = wanted), 400);
  });
  expect(await restoreOrder(target, await loadContract(), ['a', 'b'])).toBeUndefined();
  expect(sets).toBe(1);
});

test.each([
  ['without the others where it lists active policies only', false, undefined],
  ['not without an active one', true, 'it was set, and reads lack an active policy'],
])('an order is restored %s', async (_, isActive, reason) => {
  const active = '0b7f1b52-7d5c-4c8a-9d49-3f3c1f3a9b01';
  const inactive = '0b7f1b52-7d5c-4c8a-9d49-3f3c1f3a9b02';
  const sets: unknown[] = [];
  const target = await targetBy((request, response) => {
    if (request.method === 'POST') request.on('data', (chunk: Buffer) => sets.push(JSON.parse(chunk.toString())));
    const id = request.url?.split('/').at(-1);
    const body =
      request.method === 'POST' ? undefined : id === 'byprocessingorder' ? [{ id: active }] : { id, isActive };
    response.writeHead(body === undefined ? 204 : 200, { 'content-type': 'application/json' });
    response.end(body && JSON.stringify(body));
  });
  expect(await restoreOrder(target, await loadContract(), [inactive, active])).toBe(reason);
  expect(sets[0]).toMatchObject([{ id: inactive }, { id: active }]);
});
