import { number, withQuery } from '../proxy/call.ts';
import { asObject } from '../proxy/json.ts';
import type { Call, Outgoing } from '../proxy/message.ts';

/** The page of a list that a request selects with `page` and `take`; undefined if it selects none. */
export function pageOf(call: Call, list: readonly unknown[]): readonly unknown[] | undefined {
  const [page, take] = [number(call, 'page', 0), number(call, 'take', 20)];
  return page < 0 || take < 1 ? undefined : list.slice(page * take, (page + 1) * take);
}

/** The paginated response with the page of a list that a request selects with `pageNumber` and `pageSize`. */
export function numberedPageOf(call: Call, value: unknown, list: readonly unknown[]): unknown {
  const currentPage = number(call, 'pageNumber', 1);
  const pageSize = Math.max(1, number(call, 'pageSize', 10));
  const data = list.slice((currentPage - 1) * pageSize, currentPage * pageSize);
  const [totalCount, totalPages] = [list.length, Math.ceil(list.length / pageSize)];
  return { ...asObject(value), data, totalCount, totalPages, pageSize, currentPage };
}

/** Changes a request so that it selects the whole list instead of one numbered page. */
export const wholeList = (call: Call, more: Readonly<Record<string, undefined>> = {}): Partial<Outgoing> =>
  withQuery(call, { pageNumber: 1, pageSize: 10_000, ...more });
