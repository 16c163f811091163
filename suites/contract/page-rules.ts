import { idOf, itemsIn, mentions, sameId } from '../../domain/items.ts';
import { count } from '../../spec/count.ts';
import type { Exchange, Json, Operation, Violation } from '../../spec/index.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import { violationOf } from '../kit/violation.ts';
import { isSameList } from './violations.ts';

/** Requirements by the number of the first page. */
export const PAGING_REQUIREMENTS = {
  0: {
    base: 'paging.page-zero-based',
    number: 'paging.page-default',
    size: 'paging.take',
    sizeDefault: 'paging.take-default',
    wrapper: [],
  },
  1: {
    base: 'paging.page-number-one-based',
    number: 'paging.page-number-default',
    size: 'paging.page-size',
    sizeDefault: 'paging.page-size-default',
    wrapper: ['paging.wrapper'],
  },
};

export interface Page {
  readonly exchange: Exchange;
  readonly ids: readonly string[];
}

/** All pages of a list that were read with one page size. */
export interface Pages {
  readonly fixture: ListFixture;
  readonly requirements: (typeof PAGING_REQUIREMENTS)[0 | 1];
  readonly size: number;
  readonly pages: readonly Page[];
  readonly ids: readonly string[];
  /** True: items of others must not appear twice either. */
  readonly judgesAll: boolean;
  /** The first pages, as evidence. */
  readonly exchanges: readonly Exchange[];
}

/** Most pages of a list to which others may add items. */
export const MOST_SHARED_PAGES = 60;

/** The violation of the first rule of paging that the pages do not satisfy. */
export function pagesViolation(seen: Pages): Violation | undefined {
  for (const rule of PAGE_RULES) {
    const violation = rule(seen);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

/** Ordered so that the first violation explains the later ones. */
const PAGE_RULES: readonly ((seen: Pages) => Violation | undefined)[] = [
  noPageTooLong,
  noSamePage,
  noItemTwice,
  noItemLost,
  noPageTooShort,
  noUnknownItem,
];

function noPageTooLong({ fixture, requirements, size, pages }: Pages): Violation | undefined {
  const page = pages.find((each) => each.ids.length > size);
  return page === undefined ? undefined : pageTooLong(fixture.operation, requirements.size, size, page);
}

/** A page with more items than were asked for. */
export function pageTooLong(
  operation: Operation,
  requirement: string,
  size: number,
  { exchange, ids }: Page,
): Violation | undefined {
  if (ids.length <= size) return undefined;
  return violationOf('paging-partition/page-too-long', operation, {
    requirement,
    expected: `at most ${count(size, 'item')}`,
    received: count(ids.length, 'item'),
    exchanges: [exchange],
  });
}

function noSamePage({ fixture, requirements, pages, exchanges }: Pages): Violation | undefined {
  const [first = [], second = [], third = []] = pages.map((each) => each.ids);
  if (first.length === 0 || !isSameList(first, second) || isSameList(second, third)) return undefined;
  const isOfSeveral = (id: string): boolean => [...fixture.ids].filter((each) => each.startsWith(id)).length > 1;
  // Items without ids are known by their contents, which several may have.
  if (first.every((id) => id.startsWith('{') && isOfSeveral(id))) return undefined;
  return violationOf('paging-base/same-page', fixture.operation, {
    requirement: requirements.base,
    expected: 'the next items on the second page',
    received: 'the items of the first page',
    exchanges: exchanges.slice(0, 2),
  });
}

function noItemTwice({ fixture, ids, pages, judgesAll }: Pages): Violation | undefined {
  const judged = judgesAll ? ids : ids.filter((each) => fixture.ids.has(each));
  return itemTwice(fixture.operation, pages, judged);
}

/** An item that is on two pages, or twice on one. Items of others among the pages may move from one to another: `ids` has none of those. */
export function itemTwice(
  operation: Operation,
  pages: readonly Page[],
  ids: readonly string[] = pages.flatMap((each) => each.ids),
): Violation | undefined {
  const onOnePage = pages.flatMap((page) => repeated(page.ids) ?? [])[0];
  const twice = onOnePage ?? repeated(ids);
  if (twice === undefined) return undefined;
  return violationOf('paging-partition/item-twice', operation, {
    requirement: 'paging.partition',
    expected: 'each item on one page',
    received: onOnePage === undefined ? `${twice} on two pages` : `${twice} twice on a page`,
    exchanges: pages
      .filter((each) => each.ids.includes(twice))
      .slice(0, 2)
      .map((each) => each.exchange),
  });
}

/** The first id that occurs twice. Items without ids may have equal contents. */
function repeated(ids: readonly string[]): string | undefined {
  return ids.find((id, at) => !id.startsWith('{') && ids.indexOf(id) !== at);
}

function noItemLost({ fixture, requirements, size, pages, ids, exchanges }: Pages): Violation | undefined {
  const isComplete = fixture.isolated || ids.length < MOST_SHARED_PAGES * size;
  const lost = [...fixture.ids].filter((each) => !ids.includes(each));
  if (lost.length === 0 || !isComplete) return undefined;
  const wholePages = Math.ceil(fixture.ids.size / size);
  // Where pages are counted from another number, exactly one page is left out.
  const isPart = lost.length === size && lost.length < fixture.ids.size;
  const isFirstPage = fixture.isolated && isPart && pages.length <= wholePages;
  return violationOf(isFirstPage ? 'paging-base/first-page' : 'paging-partition/items-lost', fixture.operation, {
    requirement: isFirstPage ? requirements.base : 'paging.partition',
    expected: `${count(fixture.ids.size, 'item')} on all pages of ${size}`,
    received: `${lost.length} of them on no page, for example ${lost[0] ?? ''}`,
    exchanges,
  });
}

function noPageTooShort({ fixture, requirements, size, pages, judgesAll }: Pages): Violation | undefined {
  const page = fixture.isolated || judgesAll ? pages.slice(0, -2).find((each) => each.ids.length < size) : undefined;
  if (page === undefined) return undefined;
  return violationOf('paging-partition/page-too-short', fixture.operation, {
    requirement: requirements.size,
    expected: count(size, 'item'),
    received: count(page.ids.length, 'item'),
    exchanges: [page.exchange],
  });
}

/** True for an item of others that the search of the list finds rightly, such as a copy of an item of this run. */
function isFound({ request }: ListFixture, pages: readonly Page[], id: string): boolean {
  const texts = Object.values(request.query ?? {}).filter((each) => typeof each === 'string');
  const items = pages.flatMap(({ exchange }) => itemsIn(exchange) ?? []);
  const item = items.find((each) => sameId(idOf(each), id));
  return texts.length > 0 && item !== undefined && texts.every((text) => mentions(item, text));
}

function noUnknownItem({ fixture, ids, pages }: Pages): Violation | undefined {
  const isUnknown = (id: string): boolean => !fixture.ids.has(id) && !isFound(fixture, pages, id);
  const unknown = fixture.isolated ? ids.find(isUnknown) : undefined;
  if (unknown === undefined) return undefined;
  return violationOf('paging-partition/unknown-item', fixture.operation, {
    requirement: 'paging.partition',
    expected: 'only items of the list',
    received: `${unknown}, which is not an item of the list`,
    exchanges: pages.filter((each) => each.ids.includes(unknown)).map((each) => each.exchange),
  });
}

/** True where two readings of a list have the same pages. */
export function isAlike(pages: readonly Page[], others: readonly Page[]): boolean {
  return pages.length === others.length && pages.every(({ ids }, index) => isSameList(ids, others[index]?.ids ?? []));
}

/** True where the pages have all items that the list is known to have. */
export function showsAll({ ids, shown = Infinity }: ListFixture, pages: readonly Page[]): boolean {
  const seen = new Set(pages.flatMap((page) => page.ids));
  return ids.size > 0 ? [...ids].every((id) => seen.has(id)) : seen.size >= shown;
}

/** Values that reverse a list, by parameter. */
const REVERSING: Readonly<Record<string, Json>> = { orderAsc: false, sortDirection: 1 };

/** The same list in reverse order, where the operation has a parameter for the direction. */
export function inReverse(fixture: ListFixture): ListFixture | undefined {
  const { operation, request } = fixture;
  const name = operation.parameters.find((each) => each.in === 'query' && Object.hasOwn(REVERSING, each.name))?.name;
  if (name === undefined) return undefined;
  return { ...fixture, request: { ...request, query: { ...request.query, [name]: REVERSING[name] ?? null } } };
}

/** The list without the query that leaves out items of others. */
export function unfiltered(fixture: ListFixture): ListFixture | undefined {
  const { query, ...request } = fixture.request;
  return query === undefined || !fixture.isolated ? undefined : { ...fixture, request, isolated: false };
}
