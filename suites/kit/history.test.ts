import { expect, test } from 'vitest';
import { idsInResponse } from '../../client/index.ts';
import type { Exchange, Method } from '../../spec/index.ts';
import { exchangeOf } from '../../spec/testing/exchange.ts';
import { History } from './history.ts';

const ID = '0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f11';
const TYPE = '6f0d3a1c-52b7-4c1e-9a68-0b1d2c3e4f5a';

const exchange = (id: string, method: Method, path: string, body: string): Exchange =>
  exchangeOf({ id, operation: `${method} /auditLog`, method, path, body });

const created = (id: string): Exchange => exchange(id, 'POST', '/aiagent', `"${ID}"`);

test('two creations that returned one id are known by it', () => {
  const [history, first, second] = [new History(), created('a'), created('b')];
  const read = exchange('c', 'GET', `/aiagent/${ID}`, '{}');
  history.addOrigin(ID, first);
  expect(history.nameSharedId([first, read])).toBe(false);
  expect(history.otherCreation(ID, first)).toBeUndefined();
  history.addOrigin(ID.toUpperCase(), second);
  expect(history.nameSharedId([read])).toBe(true);
  expect(history.nameSharedId([second])).toBe(true);
  expect(history.otherCreation(ID, first)?.id).toBe('b');
  expect(history.otherCreation(ID, second)?.id).toBe('a');
  const later = { ...second, id: 'd', sentAt: 9 };
  history.addOrigin(ID, later);
  expect(history.otherCreation(ID, { ...later, id: 'e' })?.id, 'the one at the same time').toBe('d');
});

test('items of two collections may have one id', () => {
  const [thing, other] = [exchange('a', 'POST', '/things', '{"id":1}'), exchange('b', 'POST', '/others', '{"id":1}')];
  const history = new History();
  history.addOrigin('1', { ...thing, operation: 'POST /things' });
  history.addOrigin('1', { ...other, operation: 'POST /others' });
  expect(history.otherCreation('1', { ...other, operation: 'POST /others' })).toBeUndefined();
  const use = (path: string, template: string): Exchange => ({
    ...exchange('c', 'GET', path, ''),
    operation: template,
  });
  const origin = (path: string, template: string): unknown => history.originOf('1', use(path, template))?.id;
  expect(origin('/things/1/parts', 'GET /things/{thingId}/parts')).toBe('a');
  expect(origin('/others/1', 'GET /others/{id}')).toBe('b');
  expect(origin('/users/2/others/1', 'GET /users/{user}/others/{id}'), 'created elsewhere').toBe('b');
  expect(origin('/files/1', 'GET /files/{id}'), 'an item of a third collection').toBeUndefined();
});

test('an id is known also after its item was removed', () => {
  const history = new History();
  history.addOrigin(ID, exchange('a', 'POST', '/aiagent', `"${ID}"`));
  history.forget(ID);
  const again = exchange('b', 'POST', '/aiagent', `"${ID}"`);
  history.addOrigin(ID, again);
  expect(history.nameSharedId([again])).toBe(true);
  expect(history.otherCreation(ID, again)).toBeUndefined();
});

test('an id is looked for in the read of the item that it belongs to', () => {
  const history = new History();
  const items = JSON.stringify([{ objectTypeId: TYPE }]);
  history.add(exchange('a', 'GET', '/auditLog?objectIds=1', items));
  history.add(exchange('b', 'GET', `/auditLog?objectIds=${ID}`, items));
  expect(history.reads.showing(TYPE, exchange('c', 'GET', '/x', ''))?.id).toBe('a');
  expect(history.reads.showing(TYPE, exchange('c', 'GET', `/x/${ID}/${TYPE}`, ''))?.id).toBe('b');
  history.add(exchange('d', 'GET', '/jobs/1/results/Other', items));
  history.add(exchange('e', 'GET', '/jobs/1/results/Updated?pageSize=500', items));
  const approval = exchange('f', 'POST', '/jobs/1/results/Updated/approvals', '');
  expect(history.reads.showing(TYPE, approval)?.id, 'the list under which it is used').toBe('e');
  for (let page = 0; page < 1000; page += 1) history.add(exchange(`p${page}`, 'GET', `/other?page=${page}`, items));
  expect(history.reads.showing(TYPE, approval)?.id, 'after many other reads').toBe('e');
});

test('a creation that sends the id of an existing item and gets it back is not what created the item', () => {
  const history = new History();
  const first = exchange('a', 'POST', '/aiagent', `{"id":"${ID}"}`);
  const second = exchange('b', 'POST', '/aiagent', `{"id":"${ID}"}`);
  history.addOrigin(ID, first);
  history.addOrigin(ID, {
    ...second,
    request: { ...second.request, body: Buffer.from(`{"name":"other","id":"${ID}"}`) },
  });
  expect(history.originOf(ID)?.id).toBe('a');
  expect(history.otherCreation(ID, first)?.id).toBe('b');
});

test('of a long response the ids are kept', () => {
  const history = new History();
  history.addOrigin(ID, exchange('a', 'POST', '/aiagent', JSON.stringify({ text: 'x'.repeat(40_000), id: ID })));
  const origin = history.originOf(ID);
  expect(origin?.response?.body.byteLength).toBeLessThan(100);
  expect(origin && idsInResponse(origin)).toEqual([ID]);
});

test('a failed read of a list knows what was stored before, one of each kind among it, also when it has succeeded again', () => {
  const at = (sentAt: number, id: string, method: Method, url: string, status: number, body = ''): Exchange => ({
    ...exchangeOf({ id, operation: `${method} /auditLog`, sentAt, status, body: '[]' }),
    request: { method, url: `http://127.0.0.1/api${url}`, headers: {}, body: Buffer.from(body) },
  });
  const history = new History();
  history.add(at(0, 'early', 'GET', '/auditLog?mine=1', 200));
  history.add(at(1, 'odd', 'POST', '/auditLog', 200, '{"name":"a","metadata":null}'));
  for (let n = 2; n < 30; n += 1) history.add(at(n, `p${n}`, 'POST', '/auditLog', 200, '{"name":"a","metadata":{}}'));
  const [failed, unknown] = [at(40, 'f', 'GET', '/auditLog', 500), at(40, 'g', 'GET', '/auditLog?mine=2', 500)];
  for (const each of [
    failed,
    unknown,
    at(41, 'later', 'POST', '/auditLog', 200),
    at(42, 'ok', 'GET', '/auditLog', 200),
  ])
    history.add(each);
  const ids = history.beforeFailure(failed).map(({ id }) => id);
  expect(ids).toEqual(['odd', ...Array.from({ length: 11 }, (_, index) => `p${index + 19}`)]);
  expect(history.beforeFailure(unknown)).toEqual([]);
});

test('an earlier answer is found by its URL, or by another query with the same answer', () => {
  const at = (id: string, sentAt: number, url: string, body: string): Exchange => ({
    ...exchange(id, 'GET', url, body),
    sentAt,
  });
  const list = JSON.stringify([{ name: 'the only item of this list' }]);
  const history = new History();
  history.add(at('a', 1, '/things?page=0', list));
  history.add(at('b', 2, `/things/${ID}`, JSON.stringify({ id: ID })));
  const wrong = at('c', 3, `/things/${ID}`, JSON.stringify({ id: TYPE }));
  history.add(wrong);
  expect(history.reads.before(wrong)?.id, 'a wrong answer does not replace it').toBe('b');
  history.add(at('e', 5, `/things/${ID}`, JSON.stringify({ id: ID, name: 'changed' })));
  expect(history.reads.before(wrong)?.id, 'a later one is none before').toBe('b');
  const long = `[${'"an item of a long list", '.repeat(2_000)}""]`;
  history.add(at('f', 6, '/things?take=2000', long));
  const before = history.reads.before(at('g', 7, '/things?take=2000', long));
  expect([before?.id, before?.response?.body.length], 'a long answer is kept in part').toEqual(['f', 2_000]);
  expect(history.reads.sameAnswer(at('d', 4, '/things?page=1', list))?.id).toBe('a');
  expect(history.reads.sameAnswer(at('d', 4, '/things?page=0', list))).toBeUndefined();
  expect(history.reads.sameAnswer(at('d', 4, '/things?page=1', list.replace('only', 'last')))).toBeUndefined();
  expect(history.reads.sameAnswer(at('d', 20_000, '/things?page=1', list))).toBeUndefined();
});

test('creations that were sent at the same time are known, and an id that a list showed was not returned', () => {
  const [history, first, second] = [new History(), created('a'), created('b')];
  for (const each of [first, second, { ...first, id: 'c', sentAt: 9 }]) history.add(each);
  expect(history.latest.beside(first).map(({ id }) => id)).toEqual(['b']);
  history.addOrigin(ID, first);
  history.addOrigin(ID, { ...second, listed: { url: '/aiagent', name: 'b' } });
  expect(history.otherCreation(ID, first)).toBeUndefined();
});

test('a change without a response may have been processed, unless it was never sent', () => {
  const { response: _response, ...unanswered } = exchange('a', 'POST', `/aijob/${ID}/execution-queue`, '');
  const history = new History();
  history.add({ ...unanswered, failure: { kind: 'reset', message: 'reset', stage: 'sent' } });
  history.add({ ...unanswered, id: 'b', failure: { kind: 'refused', message: 'refused', stage: 'connecting' } });
  expect(history.changesOf(ID).map(({ id }) => id)).toEqual(['a']);
});
