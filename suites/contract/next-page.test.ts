import { expect, it } from 'vitest';
import type { Exchange, Json, Operation } from '../../spec/index.ts';
import { firstQuery, nextQuery, pageParameters } from './next-page.ts';

function listWith(...names: readonly string[]): Operation {
  const parameters = names.map((name) => ({ name, in: 'query', schema: { schema: { type: 'integer' } } }));
  return { method: 'GET', parameters } as unknown as Operation;
}

const answering = (json: Json): Exchange => ({ response: { status: 200, json } }) as unknown as Exchange;

it.each([
  [['page', 'per_page'], { per_page: 2, page: 1 }, { per_page: 2, page: 2 }],
  [['page[number]', 'page[size]'], { 'page[size]': 2, 'page[number]': 1 }, { 'page[size]': 2, 'page[number]': 2 }],
  [['page'], { page: 1 }, { page: 2 }],
  [['limit', 'offset'], { limit: 2, offset: 0 }, { limit: 2, offset: 2 }],
  [['$top', '$skip'], { $top: 2, $skip: 0 }, { $top: 2, $skip: 2 }],
])('%j are requested by number or offset', (names, first, next) => {
  const paging = pageParameters(listWith(...names));
  expect(paging && firstQuery(paging)).toEqual(first);
  expect(paging && nextQuery(paging, answering([]))).toEqual(next);
});

it('a cursor comes from the wrapper of the list, or from a member of it', () => {
  const paging = pageParameters(listWith('limit', 'cursor')) ?? expect.fail('no paging');
  expect(firstQuery(paging)).toEqual({ limit: 2 });
  expect(nextQuery(paging, answering({ items: [], nextCursor: 'c1' }))).toEqual({ limit: 2, cursor: 'c1' });
  expect(nextQuery(paging, answering({ items: [], meta: { next_page_token: 'c2' } }))).toEqual({
    limit: 2,
    cursor: 'c2',
  });
  expect(nextQuery(paging, answering({ items: [], next: 'https://api.test/items?cursor=c3' }))).toBeUndefined();
  expect(nextQuery(paging, answering({ items: [], nextCursor: null }))).toBeUndefined();
});

it('the first page has the number that the description gives as default', () => {
  const { parameters, ...rest } = listWith('size', 'page');
  const [size, page] = parameters;
  const zero = { ...page, schema: { schema: { type: 'integer', default: 0 } } };
  const paging = pageParameters({ ...rest, parameters: [size, zero] } as unknown as Operation);
  expect(paging && firstQuery(paging)).toEqual({ size: 2, page: 0 });
});

it('lists without a size, or without a place, have no pages', () => {
  expect(pageParameters(listWith('limit'))).toBeUndefined();
  expect(pageParameters(listWith('offset'))).toBeUndefined();
  expect(pageParameters(listWith('size', 'color'))).toBeUndefined();
});
