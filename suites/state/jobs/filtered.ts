import { isDeepStrictEqual } from 'node:util';
import { itemsIn, keysOf, memberOf, numberDuplicates } from '../../../domain/items.ts';
import type { PathValues } from '../../../domain/path-values.ts';
import { isRepeated, pagingOf, readLong } from '../../../domain/read-list.ts';
import { idNameOf } from '../../../domain/resources.ts';
import { isServed } from '../../../spec/index.ts';
import type { Exchange, Json, Operation, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Tested } from '../define.ts';
import { findListedTwice } from '../lifecycle/listed.ts';

/** Page size that is larger than the lists of a test. */
const LONG = 100;

/** Items that a filter selects. */
export interface FilteredItems {
  readonly items: readonly Json[];
  readonly ids: readonly string[];
  /** The first page, or a later one that failed. */
  readonly exchange: Exchange;
}

export type Filter = Readonly<Record<string, Json | undefined>>;

/** Reads a list with a filter, in large pages. */
export async function selectItems(
  t: TestContext,
  { operation, form }: Pick<Tested, 'operation' | 'form'>,
  path: PathValues,
  filter: Filter,
  { size = LONG, believesCount = true } = {},
): Promise<FilteredItems> {
  const send = (index: number, pageSize: number): Promise<Exchange> => {
    const query = { pageNumber: index + 1, pageSize, ...filter };
    return t.send(operation, { form, path, query, label: JSON.stringify(filter) });
  };
  const { pages, failed = pages[0] } = await readLong(operation, size, send, believesCount);
  return { ...selectionOf(t, operation, pages), exchange: failed };
}

/** False where the deployment refuses the filter, or failed to show a page. */
export const isReadable = ({ exchange }: FilteredItems): boolean => isServed(exchange);

/** True where two reads show the same items, in any order. */
export function haveSameIds(one: FilteredItems, other: FilteredItems): boolean {
  return isDeepStrictEqual(new Set(one.ids), new Set(other.ids));
}

function selectionOf(
  t: TestContext,
  operation: Tested['operation'],
  pages: readonly Exchange[],
): Omit<FilteredItems, 'exchange'> {
  const idName = idNameOf(t.contract, operation);
  return {
    items: pages.flatMap(({ response }) => itemsIn({ response }) ?? []),
    ids: numberDuplicates(pages.flatMap(({ response }) => keysOf(response?.json, idName) ?? [])),
  };
}

/** True for a list that counts more items than its pages show. */
const lacksItems = ({ exchange, ids }: FilteredItems): boolean =>
  Number(memberOf(exchange.response?.json, 'totalCount') ?? 0) > ids.length;

/** Most pages of a filtered list that are read one by one. */
const MOST_PAGES = 5;

/** A selection that differs in another direction or on small pages; undefined also where the list changes or that is refused. */
export async function findOtherPages(
  t: TestContext,
  target: Tested,
  path: PathValues,
  filter: Filter,
  requirement: string,
): Evaluation {
  const whole = await selectItems(t, target, path, filter);
  if (!isReadable(whole)) return undefined;
  const repeating = findListedTwice(target.operation, [whole.exchange], []);
  if (repeating !== undefined) return repeating;
  const sorted = async (sortDirection: number, options = {}): Promise<Counted> => {
    const selection = await selectItems(t, target, path, { ...filter, sortDirection }, options);
    return { selection, count: whole.ids.length, pages: [selection.exchange], sortDirection };
  };
  const [ascending, descending] = [await sorted(0), await sorted(1)];
  const paged = await selectInPages(t, target, path, filter, whole.ids.length);
  const others = [ascending, descending, ...(paged === undefined ? [] : [paged])];
  const isOther = ({ selection: { ids }, count, isUneven }: Counted): boolean =>
    isUneven === true ||
    ids.length !== count ||
    new Set(ids).size !== count ||
    ids.some((id) => !whole.ids.includes(id));
  const wrong = others.find((each) => isReadable(each.selection) && isOther(each));
  if (wrong === undefined)
    return (
      findWrongTotal(target.operation, whole.exchange, whole.ids.length) ??
      (await findOneDirection(t, target, path, filter, [ascending.selection, descending.selection]))
    );
  const again = await selectItems(t, target, path, filter);
  if (!isDeepStrictEqual(again.ids, whole.ids)) return undefined;
  const { selection, count, pages, isUneven, sortDirection } = wrong;
  // A total count that is too small ends the reading of a list that is complete.
  if (sortDirection !== undefined && !isOther(await sorted(sortDirection, { believesCount: false })))
    return wrongCount(target, whole.exchange, selection.exchange);
  const isMore = selection.ids.some((id) => !whole.ids.includes(id));
  // Where the list lacks items that it counts also without a filter, its pages are wrong, which tests of paging find.
  if (isMore && lacksItems(whole) && lacksItems(await selectItems(t, target, path, {}))) return undefined;
  const subject = Object.keys(filter).join('+');
  const different = new Set(selection.ids).size;
  const isCut = isUneven === true && !isMore;
  const isRepeated = !isCut && !isMore && different === whole.ids.length;
  return violationOf(isMore ? 'filters/wrongly-found' : 'filters/lost-on-page', target.operation, {
    subject,
    requirement,
    ...(isRepeated
      ? { message: `${target.operation.id}: an item that a filter selects is listed more than once (${subject})` }
      : {}),
    expected: isCut
      ? 'full pages, except the last one'
      : `${count === whole.ids.length ? '' : `${count} of `}the ${whole.ids.length} items that ${JSON.stringify(filter)} selects, also with ${sortDirection === undefined ? 'smaller pages' : `sortDirection=${sortDirection}`}`,
    received: isCut
      ? `pages of ${pages.map(lengthOf).join(', ')} items`
      : `${selection.ids.length} items, ${different} different ones${isMore ? ', others among them' : ''}`,
    exchanges: [whole.exchange, ...pages],
  });
}

/** A selection in one order in both directions, although its items have another order in each where nothing is filtered. */
async function findOneDirection(
  t: TestContext,
  target: Tested,
  path: PathValues,
  filter: Filter,
  selections: readonly [ascending: FilteredItems, descending: FilteredItems],
): Evaluation {
  const [first, second] = selections;
  if (first.ids.length < 2 || !selections.every(isReadable)) return undefined;
  if (!isDeepStrictEqual(first.ids, second.ids)) return findReversedPage(t, target, path, filter, selections);
  const whole = [
    await selectItems(t, target, path, { sortDirection: 0 }),
    await selectItems(t, target, path, { sortDirection: 1 }),
  ];
  const [one, other] = whole.map(({ ids }) => ids.filter((id) => first.ids.includes(id)));
  if (one?.length !== first.ids.length || other?.length !== one.length || isDeepStrictEqual(one, other))
    return undefined;
  return violationOf('ordering/sort-direction', target.operation, {
    subject: Object.keys(filter).join('+'),
    requirement: 'paging.sort-direction',
    expected: `the ${first.ids.length} items that ${JSON.stringify(filter)} selects in two orders, as without it`,
    received: 'the same order with sortDirection=0 and with sortDirection=1',
    exchanges: [...whole, ...selections].map(({ exchange }) => exchange),
  });
}

/** A first page of few items that is the same one in both directions, although the large pages begin with other items in each. */
async function findReversedPage(
  t: TestContext,
  { operation, form }: Tested,
  path: PathValues,
  filter: Filter,
  [ascending, descending]: readonly [ascending: FilteredItems, descending: FilteredItems],
): Evaluation {
  const pageSize = Math.min(pagingOf(operation)?.defaultSize ?? 1, Math.floor(ascending.ids.length / 2));
  const [first, wanted] = [ascending, descending].map(({ ids }) => ids.slice(0, pageSize));
  if (first === undefined || wanted === undefined || wanted.some((id) => first.includes(id))) return undefined;
  const query = { ...filter, sortDirection: 1, pageNumber: 1, pageSize };
  const page = await t.send(operation, { form, path, query, label: `page 1, of ${pageSize}, with sortDirection=1` });
  const { ids } = selectionOf(t, operation, [page]);
  if (!isServed(page) || ids.length !== pageSize || !ids.every((id) => first.includes(id))) return undefined;
  return violationOf('ordering/sort-direction', operation, {
    subject: Object.keys(filter).join('+'),
    requirement: 'paging.sort-direction',
    expected: `a first page with ${wanted[0]}, as on a larger one with sortDirection=1`,
    received: 'the items of the first page with sortDirection=0',
    exchanges: [ascending.exchange, descending.exchange, page],
  });
}

/** A total count that differs from the number of items of the whole list. */
export function findWrongTotal(operation: Operation, exchange: Exchange, length: number): Violation | undefined {
  const total = memberOf(exchange.response?.json, 'totalCount');
  if (typeof total !== 'number' || total === length || length >= LONG) return undefined;
  return violationOf('published-behaviour/value', operation, {
    subject: 'totalCount',
    requirement: 'published.paginated-counts',
    expected: `totalCount ${length}`,
    received: `totalCount ${total}`,
    exchanges: [exchange],
  });
}

/** A total count that differs between reads of the same items. */
function wrongCount({ operation }: Tested, whole: Exchange, wrong: Exchange): Violation {
  const [expected, received] = [whole, wrong].map(({ response }) =>
    JSON.stringify(memberOf(response?.json, 'totalCount')),
  );
  return violationOf('published-behaviour/value', operation, {
    subject: 'totalCount',
    requirement: 'published.paginated-counts',
    message: `${operation.id}: totalCount differs between sort directions, and the pages do not`,
    expected: `totalCount ${expected}`,
    received: `totalCount ${received}`,
    exchanges: [whole, wrong],
  });
}

interface Counted {
  readonly selection: FilteredItems;
  /** How many items it has to hold. */
  readonly count: number;
  readonly pages: readonly Exchange[];
  /** Set where it was read in this direction. */
  readonly sortDirection?: number;
  /** A page is not full although a later one has items: the filter applies to each page, not to the list. */
  readonly isUneven?: boolean;
}

const keysIn = (page: Exchange | undefined): readonly string[] => keysOf(page?.response?.json) ?? [];
const lengthOf = ({ response }: Exchange): number => itemsIn({ response })?.length ?? 0;

/** Reads pages of at most the default size, which may be the largest allowed one; undefined where one is refused or too long. */
async function selectInPages(
  t: TestContext,
  { operation, form }: Tested,
  path: PathValues,
  filter: Filter,
  total: number,
): Promise<Counted | undefined> {
  const pageSize = Math.max(1, Math.min(pagingOf(operation)?.defaultSize ?? 1, Math.ceil(total / 2)));
  const numbers = Array.from({ length: Math.min(MOST_PAGES, Math.ceil(total / pageSize) + 2) }, (_, at) => at + 1);
  const read = await Promise.all(
    numbers.map((pageNumber) =>
      t.send(operation, { form, path, query: { ...filter, pageNumber, pageSize }, label: `page ${pageNumber}` }),
    ),
  );
  const end = read.findIndex((page, at) => at * pageSize >= total && isRepeated(keysIn(page), keysIn(read[at - 1])));
  const pages = end < 0 ? read : read.slice(0, end);
  const [, second] = pages;
  if (second === undefined || !pages.every(isServed)) return undefined;
  const lengths = pages.map(lengthOf);
  if (lengths.some((length) => length > pageSize)) return undefined;
  const selection = { ...selectionOf(t, operation, pages), exchange: second };
  const isUneven = lengths.some((length, at) => length < pageSize && lengths.slice(at + 1).some((each) => each > 0));
  return { selection, count: Math.min(total, pages.length * pageSize), pages, isUneven };
}
