import type { Call } from '../http/call.ts';
import { SORT_DIRECTIONS } from '../model/run.ts';

/** The page selected by `page` (zero-based) and `take`. */
export function takePage<T>(call: Call, items: readonly T[]): T[] {
  const page = call.query.int32('page', 0, 0);
  const take = call.query.int32('take', 20, 1);
  return items.slice(page * take, page * take + take);
}

export interface Paginated<T> {
  totalCount: number;
  pageSize: number;
  currentPage: number;
  totalPages: number;
  data: T[];
}

/** The page selected by `pageNumber` (one-based), `pageSize` and `sortDirection`; `items` are in ascending order. */
export function numberedPage<T, V>(call: Call, items: readonly T[], view: (item: T) => V): Paginated<V> {
  const currentPage = call.query.int32('pageNumber', 1, 1);
  const pageSize = call.query.int32('pageSize', 10, 1);
  const descending = call.query.choice('sortDirection', SORT_DIRECTIONS) === 1;
  const sorted = descending ? items.toReversed() : items;
  const data = sorted.slice((currentPage - 1) * pageSize, currentPage * pageSize).map(view);
  const totalPages = Math.ceil(items.length / pageSize);
  return { totalCount: items.length, pageSize, currentPage, totalPages, data };
}

/** A predicate: the metadata has every pair of `metadataFilter`. */
export function metadataFilter(call: Call): (metadata: Readonly<Record<string, string>> | null) => boolean {
  const wanted = [...call.query.deepObject('metadataFilter')];
  return (metadata) =>
    wanted.every(([key, value]) => metadata !== null && Object.hasOwn(metadata, key) && metadata[key] === value);
}
