import { expect, test } from 'vitest';
import type { Exchange, Json } from '../../spec/index.ts';
import { exchangeOf } from '../../spec/testing/exchange.ts';
import { LastAnswers } from './last-answers.ts';

const ID = '00000000-0000-4000-8000-00000000000a';

const exchange = (sentAt: number, path: string, json: Json, status = 200): Exchange =>
  exchangeOf({
    id: String(sentAt),
    operation: 'GET /aiagent',
    path: `/aiagent${path}`,
    sentAt,
    durationMs: 0,
    status,
    json,
  });

const changeAt = (sentAt: number): Exchange => exchange(sentAt, `/${ID}`, {});

test('tells since when a read is answered in the same way after a change', () => {
  const answers = new LastAnswers();
  const read = (sentAt: number, body: string, status?: number): Exchange => exchange(sentAt, `/${ID}`, body, status);
  const last = read(900, 'old');
  for (const each of [read(50, 'old'), read(150, 'new'), read(800, 'old'), last]) answers.add(each);
  expect(answers.sameSince(last, changeAt(100))).toEqual({ at: 800, wasOther: true });
  expect(answers.sameSince(last, changeAt(160))).toEqual({ at: 800, wasOther: false });
  expect(answers.sameSince(read(1000, 'other'), changeAt(950))).toEqual({ at: 1000, wasOther: false });
  for (const each of [read(1100, 'trace 1', 404), read(1200, 'trace 2', 404)]) answers.add(each);
  expect(answers.sameSince(read(1200, 'trace 2', 404), changeAt(1000)).at, 'refusals are alike').toBe(1100);
});

test('of a list, only the changed item counts', () => {
  const answers = new LastAnswers();
  const list = (sentAt: number, ...ids: readonly string[]): Exchange =>
    exchange(
      sentAt,
      '?page=0',
      ids.map((id) => ({ id })),
    );
  const other = ID.replace('a', 'b');
  for (const each of [list(110), list(120, other), list(500, ID)]) answers.add(each);
  expect(answers.sameSince(list(130), changeAt(100))).toEqual({ at: 110, wasOther: false });
  expect(answers.sameSince(list(600, ID, other), changeAt(100))).toEqual({ at: 500, wasOther: true });
});

test('finds an empty list between two answers that show the same item', () => {
  const answers = new LastAnswers();
  const read = (sentAt: number, ...ids: readonly string[]): Exchange =>
    exchange(
      sentAt,
      '',
      ids.map((id) => ({ id })),
    );
  const [empty, last] = [read(200), read(300, ID)];
  for (const each of [read(100, ID), empty, last]) answers.add(each);
  expect(answers.emptyBefore(last)).toEqual({ empty, ids: [ID] });
  answers.add(read(400, ID));
  expect(answers.emptyBefore(read(400, ID))).toBeUndefined();
});
