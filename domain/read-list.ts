import type { Exchange, Json, Operation, Parameter } from '../spec/index.ts';
import { idOf, isDescribed, itemsIn, keyOf, learnIdMember, memberOf, numberDuplicates, sameId } from './items.ts';
import type { ApiContext, RequestSpec } from './context.ts';
import { idNameOf } from './resources.ts';

/** The paging of a list: the names of its parameters and their defaults (api.md section 8). */
export interface Paging {
  readonly number: string;
  readonly size: string;
  /** Number of the first page. */
  readonly first: 0 | 1;
  readonly defaultSize: number;
}

const ZERO_BASED = { number: 'page', size: 'take', first: 0 } as const;
const ONE_BASED = { number: 'pageNumber', size: 'pageSize', first: 1 } as const;

/** The paging of a list; undefined without documented paging. */
export function pagingOf(operation: Operation): Paging | undefined {
  for (const style of [ZERO_BASED, ONE_BASED]) {
    const size = operation.parameters.find((each) => each.in === 'query' && each.name === style.size);
    const number = operation.parameters.find((each) => each.in === 'query' && each.name === style.number);
    const defaultSize = defaultOf(size);
    if (defaultSize !== undefined && defaultOf(number) === style.first) return { ...style, defaultSize };
  }
  return undefined;
}

function defaultOf(parameter: Parameter | undefined): number | undefined {
  const schema = parameter?.schema.schema;
  const given = typeof schema === 'object' ? schema['default'] : undefined;
  return typeof given === 'number' ? given : undefined;
}

/** The query for a page; `index` counts from 0, whatever the number of the first page. */
export function pageQuery(paging: Paging, index: number, size: number): Record<string, Json> {
  return { [paging.number]: paging.first + index, [paging.size]: size };
}

/** True for a page that may be past the end of the list: the document does not say how that is answered, so 404 is allowed. */
export function mayBePastEnd(operation: Operation, query: Readonly<Record<string, Json | undefined>>): boolean {
  return [ZERO_BASED, ONE_BASED].some(({ number, first }) => {
    const requested = query[number];
    const isPaged = operation.parameters.some((each) => each.in === 'query' && each.name === number);
    return isPaged && typeof requested === 'number' && requested > first;
  });
}

/** True for a page with the items of the page before it. Past the end that is allowed: what a page shows there is not documented. */
export function isRepeated(page: readonly string[], before: readonly string[]): boolean {
  return page.length > 0 && page.length === before.length && page.every((key, at) => key === before[at]);
}

/** All pages of a list. */
export interface Walk {
  readonly pages: readonly Exchange[];
  readonly items: readonly Json[];
  /** Their ids, in lower case; the content of an item without one. */
  readonly ids: readonly string[];
  /** True where the list has more pages than are read. */
  readonly isCut: boolean;
}

/** Most pages of a list that {@link walk} reads. */
const MOST_PAGES = 500;

/**
 * Reads the pages of a list until one has no new items, or fewer than the default page size, since a maximum page size is not below the
 * default; a list without paging is one page. Items without ids may be new although they have equal contents: then the total count of
 * the list tells its end. Undefined where the first response is not a list.
 */
export async function walk(
  t: ApiContext,
  operation: Operation,
  request: RequestSpec,
  size = 100,
): Promise<Walk | undefined> {
  const paging = pagingOf(operation);
  const pages: Exchange[] = [];
  const items: Json[] = [];
  const seen = new Set<string>();
  const idName = idNameOf(t.contract, operation);
  let pageSize = size;
  let last: readonly string[] = [];
  for (let index = 0; index < MOST_PAGES; index += 1) {
    const query = paging === undefined ? request.query : { ...request.query, ...pageQuery(paging, index, pageSize) };
    const exchange = await t.send(operation, { valid: true, ...request, ...(query === undefined ? {} : { query }) });
    const page = itemsWithIds(exchange, operation, idName);
    pages.push(exchange);
    if (page === undefined) {
      if (index === 0) return undefined;
      break;
    }
    if (index === 0) pageSize = sizeBehind(paging, page.length, size);
    const known = seen.size;
    const keys = page.map((item) => keyOf(item, idName));
    for (const key of keys) seen.add(key);
    if (!isRepeated(keys, last) || saysMore(exchange, items)) items.push(...page);
    last = keys;
    if (paging === undefined || page.length < Math.min(size, paging.defaultSize)) break;
    if (seen.size > known || saysMore(exchange, items)) continue;
    if (pageSize === size || index === 0 || !hasIds(page)) break;
    // The first page was short for another reason: its items are spread over pages of the requested size.
    pageSize = size;
    index = 0;
  }
  const isCut = pages.length === MOST_PAGES;
  return { pages, items, ids: numberDuplicates(items.map((item) => keyOf(item, idName))), isCut };
}

const hasIds = (items: readonly Json[]): boolean => items.some((item) => !keyOf(item).startsWith('{'));

/** True where the items that were read have no ids, and the last page counts more of them. */
function saysMore({ response }: Exchange, items: readonly Json[]): boolean {
  return !hasIds(items) && Number(memberOf(response?.json, 'totalCount') ?? 0) > items.length;
}

/** The items of a list; undefined where the description does not show their members, and they have no ids where ids usually are. */
export function itemsWithIds(exchange: Exchange, operation: Operation, idName?: string): readonly Json[] | undefined {
  const items = itemsIn(exchange);
  if (items === undefined || items.length === 0 || isDescribed(operation) || idName === undefined) return items;
  learnIdMember(items[0], idName, operation.path);
  return items.some((item) => idOf(item, idName) !== undefined) ? items : undefined;
}

/** Size of the pages after a first one with `count` items: a maximum page size, which is not documented, may have shortened it. */
function sizeBehind(paging: Paging | undefined, count: number, size: number): number {
  return paging === undefined || count < paging.defaultSize ? size : Math.min(count, size);
}

/** Most pages that {@link readLong} reads. */
const MOST_LONG_PAGES = 20;

/** The pages of a list that should fit one page. */
export interface LongList {
  readonly pages: readonly [Exchange, ...Exchange[]];
  /** True where the list has no more pages; false where the next page repeats items or failed, or there are too many pages. */
  readonly isWhole: boolean;
  /** A page after the first one that got a server error, or no response. */
  readonly failed?: Exchange;
}

/**
 * Reads a list that should fit one page of `size` items. Further pages are read while pages are full: a maximum page size, which
 * is not documented, may have shortened the first one. `send` takes the index of a page, from 0, and the size of the pages.
 * `believesCount`: a total count that the first page reaches ends the list.
 */
export async function readLong(
  operation: Operation,
  size: number,
  send: (index: number, size: number) => Promise<Exchange>,
  believesCount = true,
): Promise<LongList> {
  const first = await send(0, size);
  const pages: [Exchange, ...Exchange[]] = [first];
  const full = itemsIn(first)?.length ?? 0;
  const paging = pagingOf(operation);
  if (paging === undefined || full < Math.min(size, paging.defaultSize) || (believesCount && isLast(first, full)))
    return { pages, isWhole: true };
  const seen = new Set(keysIn(first));
  while (pages.length < MOST_LONG_PAGES) {
    const page = await send(pages.length, sizeBehind(paging, full, size));
    if (hasFailed(page)) return { pages, isWhole: false, failed: page };
    const keys = keysIn(page);
    if (keys.every((key) => seen.has(key))) return { pages, isWhole: keys.length === 0 };
    for (const key of keys) seen.add(key);
    pages.push(page);
    if (keys.length < full) return { pages, isWhole: true };
  }
  return { pages, isWhole: false };
}

/** True for a server error, and without a response. A page past the end may be refused, but does not fail. */
export const hasFailed = ({ response }: Exchange): boolean => response === undefined || response.status >= 500;

/** True where the page shows that there are no more items. */
function isLast({ response }: Exchange, count: number): boolean {
  return memberOf(response?.json, 'totalCount') === count;
}

function keysIn({ response }: Exchange): readonly string[] {
  return (itemsIn({ response }) ?? []).map((item) => keyOf(item));
}

/** The query parameter with which a list is searched by name. */
export function searchParameterOf({ parameters }: Operation): string | undefined {
  return parameters.find((each) => each.in === 'query' && /^search/i.test(each.name))?.name;
}

/** Most times that {@link walkUntil} reads a list. */
const MOST_WALKS = 3;

/**
 * Reads a list again, a few times, until `isFound` accepts it. One reading of several pages can miss an item: it moves to a page
 * that was already read when somebody removes another item. A list of one page is read once.
 */
export async function walkUntil(
  t: ApiContext,
  operation: Operation,
  request: RequestSpec,
  isFound: (seen: Walk) => boolean,
): Promise<Walk | undefined> {
  for (let count = 1; ; count += 1) {
    const seen = await walk(t, operation, request);
    if (seen === undefined || count >= MOST_WALKS || isFound(seen)) return seen;
    if (seen.pages.filter((page) => keysIn(page).length > 0).length < 2) return seen;
  }
}

/** The page that holds the item; the first page where none does. */
export function pageWith({ pages }: Walk, id: string): Exchange | undefined {
  const holds = (page: Exchange): boolean => itemsIn(page)?.some((item) => sameId(idOf(item), id)) === true;
  return pages.find(holds) ?? pages[0];
}
