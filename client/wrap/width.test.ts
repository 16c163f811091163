import { expect, test } from 'vitest';
import type { Exchange } from '../../spec/index.ts';
import { Width } from './width.ts';

const answered = (durationMs: number, attempts = 1): Exchange => ({
  id: 'x1',
  operation: 'GET /',
  form: '',
  identity: 'full',
  request: { method: 'GET', url: '/', headers: {} },
  response: { status: 200, headers: [], body: new Uint8Array(), truncated: false },
  sentAt: 0,
  durationMs,
  attempts,
});

function feed(width: Width, durationOf: () => number, attempts = 1): number {
  for (let count = 0; count < 3000; count += 1) width.note(answered(durationOf(), attempts));
  return width.places;
}

test('a near target is asked for no more at once', () => {
  expect(feed(new Width(16, 48), () => 5)).toBe(16);
});

test('a target that is slow because it is far away is asked for more, up to a limit', () => {
  expect(feed(new Width(16, 48), () => 150)).toBe(48);
});

test('a target that more at once makes slower is left alone', () => {
  const width = new Width(16, 48);
  expect(feed(width, () => width.places * 10)).toBe(16);
});

test('a target that says later is left alone', () => {
  expect(feed(new Width(16, 48), () => 150, 2)).toBe(16);
});
