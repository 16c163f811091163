import { expect, test } from 'vitest';
import type { Exchange, Method } from '../../spec/index.ts';
import { exchangeOf } from '../../spec/testing/exchange.ts';
import { ChangesUnderWay } from './changes-under-way.ts';

const [OWN, OTHER] = [1, 2].map((n) => `0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f1${n}`);

function exchange(id: string, method: Method, path: string, sentAt: number, status = 200): Exchange {
  const operation = `${method} ${path.replace(/[0-9a-f-]{36}|not-an-id/, '{id}')}`;
  return exchangeOf({ id, operation, method, path, sentAt, durationMs: 10, status });
}

test('what was sent to other items of the resource meanwhile is known as of the own item, one of each operation and status', () => {
  const changes = new ChangesUnderWay();
  for (const each of [
    exchange('before', 'PUT', `/aiagent/${OTHER}`, 0),
    exchange('deletion', 'DELETE', `/aiagent/${OTHER}`, 109),
    exchange('far', 'PUT', `/aiagent/${OTHER}`, 101),
    exchange('near', 'PUT', `/aiagent/${OTHER}`, 111),
    exchange('refused', 'PUT', `/aiagent/${OTHER}`, 130, 400),
    exchange('own', 'DELETE', `/aiagent/${OWN}`, 120),
    exchange('gone', 'PATCH', `/aiagent/${OTHER}`, 120, 404),
    exchange('job', 'PUT', `/aijob/${OTHER}`, 120),
    exchange('after', 'DELETE', `/aiagent/${OTHER}`, 900),
  ])
    changes.add(each);
  const steps = [exchange('a', 'PUT', `/aiagent/${OWN}`, 110), exchange('b', 'GET', `/aiagent/${OWN}`, 140)];
  const found = changes.during(steps);
  expect(found.map(({ id }) => id)).toEqual(['near', 'refused', 'deletion']);
  expect(new Set(found.map(({ request }) => request.url))).toEqual(new Set([`http://127.0.0.1/api/aiagent/${OWN}`]));
});

test('of two alike, the one that sends other values is known', () => {
  const changes = new ChangesUnderWay();
  const sending = (name: string, each: Exchange): Exchange => ({
    ...each,
    request: { ...each.request, body: Buffer.from(JSON.stringify({ name })) },
  });
  changes.add(sending('far', exchange('other', 'PUT', `/aiagent/${OTHER}`, 101)));
  changes.add(sending('own', exchange('same', 'PUT', `/aiagent/${OTHER}`, 111)));
  const found = changes.during([sending('own', exchange('a', 'PUT', `/aiagent/${OWN}`, 110))]);
  expect(found.map(({ id }) => id)).toEqual(['other']);
});

test('of an id of nothing, other requests to the same path are known', () => {
  const changes = new ChangesUnderWay();
  changes.add(exchange('other', 'DELETE', '/aiagent/not-an-id', 5, 404));
  changes.add(exchange('elsewhere', 'DELETE', '/aiagent/neither', 5, 404));
  const other = exchange('form', 'PUT', '/aiagent/not-an-id', 6, 404);
  const url = other.request.url.replace('/api/', '/api/v1/');
  changes.add({ ...other, form: '/api/v1', request: { ...other.request, url } });
  const found = changes.during([exchange('a', 'PUT', '/aiagent/not-an-id', 0)]);
  expect(found.map(({ id }) => id)).toEqual(['form', 'other']);
  const created = exchange('created', 'POST', '/aiagent', 1);
  changes.add({ ...created, response: { status: 200, headers: [], body: Buffer.from(`"${OWN}"`), truncated: false } });
  changes.add(exchange('deletion', 'DELETE', `/aiagent/${OTHER}`, 6));
  const more = changes.during([exchange('a', 'PUT', '/aiagent/not-an-id', 0)]);
  expect(more.map(({ id }) => id)).toEqual(['created', 'form', 'other', 'deletion']);
  expect(more.at(-1)?.request.url).toMatch(new RegExp(`/aiagent/${OWN}$`, 'u'));
});
