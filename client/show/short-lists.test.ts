import { expect, test } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { gapIn, withShortLists } from './short-lists.ts';

const sent = (method: string, path: string, body: object = {}): Exchange =>
  ({
    operation: `${method} ${path}`,
    request: { method, body: Buffer.from(JSON.stringify(body)) },
  }) as unknown as Exchange;

const setting = (...ids: readonly number[]): Exchange =>
  sent(
    'POST',
    '/policies/order',
    ids.map((id) => ({ id })),
  );

test('the gap of a shortened list is where most of the entries are missing', () => {
  const whole = setting(1, 2, 3, 4, 5, 6);
  expect(gapIn(setting(1, 6), whole)).toBe(1);
  expect(gapIn(setting(5, 6), whole)).toBe(0);
  expect(gapIn(setting(1, 2), whole)).toBe(2);
  expect(gapIn(setting(2, 6), whole)).toBe(1);
});

test('a whole list and a request that sets none have no gap', () => {
  expect(gapIn(setting(1, 2), setting(1, 2))).toBeUndefined();
  expect(gapIn(setting(1), undefined)).toBeUndefined();
});

test('a shortened list keeps an entry that is unlike the others if it can be created again', () => {
  const id = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const isOther = (at: number): boolean => at === 20 || at === 28;
  const entries = Array.from({ length: 30 }, (_, at) => ({ id: id(at), name: isOther(at) ? null : `n${at}` }));
  const step = sent('POST', '/policies/order', entries);
  const [short] = withShortLists([step], (each) => (each < id(25) ? step : undefined));
  const kept = JSON.parse(Buffer.from(short?.request.body ?? []).toString()) as readonly unknown[];
  expect(kept.length).toBeLessThan(13);
  expect(kept).toContainEqual(entries[20]);
  expect(kept).not.toContainEqual(entries[28]);
});

test('a read of another list neither tells what was left out, nor what may be the cause', () => {
  const [short, whole] = [setting(1, 6), setting(1, 2, 3, 4, 5, 6)];
  expect(gapIn(short, whole, sent('GET', '/policies'))).toBeUndefined();
  expect(gapIn(short, whole, sent('GET', '/policies/inorder'))).toBe(1);
  expect(gapIn(short, whole, sent('POST', '/policies/1/activate'))).toBe(1);
});
