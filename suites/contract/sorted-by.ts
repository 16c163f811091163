import { isServed } from '../../spec/index.ts';
import type { Exchange, Json, Violation } from '../../spec/index.ts';
import { itemsIn, keyOf, memberOf } from '../../domain/items.ts';
import { readPage } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import { pageQuery, pagingOf, readLong } from '../../domain/read-list.ts';
import { idNameOf } from '../../domain/resources.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { describesMember } from '../kit/schema-parts.ts';
import { violationOf } from '../kit/violation.ts';
import { isComparable, membersOf, placeAgainst, shownAt } from './sort-order.ts';
import { isSameList } from './violations.ts';

/** A list that was read with some query; `items` has the items of the fixture only. */
interface Listed {
  /** The page before it, where the items are those of two pages. */
  readonly before?: Exchange;
  readonly exchange: Exchange;
  /** The pages, of which `exchange` is the first. */
  readonly pages: readonly Exchange[];
  readonly items: readonly Json[];
}

/** The items of the fixture, in the order of the list. */
export async function readSorted(
  t: TestContext,
  { operation, request, ids }: ListFixture,
  query: Record<string, Json>,
): Promise<Listed> {
  const paging = pagingOf(operation);
  const size = Math.max(200, ids.size + 10);
  const label = JSON.stringify(query);
  const send = (index: number, pageSize: number): Promise<Exchange> => {
    const page = paging === undefined ? {} : pageQuery(paging, index, pageSize);
    return t.send(operation, { ...request, query: { ...request.query, ...page, ...query }, label });
  };
  const { pages } = await readLong(operation, size, send);
  const all = pages.flatMap(({ response }) => itemsIn({ response }) ?? []);
  const [exchange] = pages;
  const idName = idNameOf(t.contract, operation);
  return { exchange, pages, items: ids.size === 0 ? all : all.filter((item) => ids.has(keyOf(item, idName))) };
}

/** Items in one response: others may change the list between two. */
const WHOLE_PAGE = 200;

/** The list with items of others, whose numbers have other lengths: as texts, 10 comes before 9. */
async function firstPage(t: TestContext, fixture: ListFixture, query: Record<string, Json>): Promise<Listed> {
  const { exchange } = await readPage(t, { ...fixture, request: { ...fixture.request, query } }, 0, WHOLE_PAGE);
  return { exchange, pages: [exchange], items: itemsIn(exchange) ?? [] };
}

type Read = (query: Record<string, Json>) => Promise<Listed>;

/**
 * Where sorting by a member with numbers or times succeeds, the list is sorted; sorting by any member may be refused, but must not
 * fail. Members that the schema does not name may be computed for each response, so that nothing can sort by them.
 */
export async function sortsByOthers(t: TestContext, fixture: ListFixture, name: string): Evaluation {
  const { items } = await readSorted(t, fixture, {});
  const schemas = fixture.operation.responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ content }) => content.flatMap(({ schema }) => schema ?? []));
  const isDescribed = (key: string): boolean => schemas.some((schema) => describesMember(t.contract, schema, key));
  const keys = membersOf(items[0]).filter((key) => key !== name && isDescribed(key));
  const sortsBy = async (key: string, orderAsc: boolean): Evaluation => {
    const query = { orderBy: key, orderAsc };
    const violation = ({ items, before, exchange }: Listed): Violation =>
      violationOf('ordering/order-by', fixture.operation, {
        subject: key,
        requirement: 'paging.order-by',
        expected: `${key} ${orderAsc ? 'ascending' : 'descending'}`,
        received: shownAt(items, key, placeAgainst(items, key, orderAsc)),
        exchanges: [before, exchange],
      });
    const isWrong = ({ items, exchange }: Listed): boolean =>
      isServed(exchange) && placeAgainst(items, key, orderAsc) >= 0;
    const readFirst: Read = (asked) => firstPage(t, fixture, asked);
    const readWhole: Read = (asked) => readSorted(t, fixture, asked);
    for (const read of typeof memberOf(items[0], key) === 'number' ? [readWhole, readFirst] : [readWhole]) {
      const seen = await read(query);
      if (isWrong(seen)) return (await isIgnored(read, key)) ? undefined : violation(seen);
    }
    const paged = isComparable(items, key) ? await withSecondPage(t, fixture, query) : undefined;
    return paged !== undefined && isWrong(paged) ? violation(paged) : undefined;
  };
  const sorts = keys.flatMap((key) => [true, false].map((orderAsc) => sortsBy(key, orderAsc)));
  return (await Promise.all(sorts)).find((violation) => violation !== undefined);
}

const UNKNOWN_MEMBER = 'assayNoSuchMember';

/** True for a member that lists are not sorted by, which is not documented: both directions are as for one that no item has. */
async function isIgnored(read: Read, key: string): Promise<boolean> {
  for (const orderAsc of [true, false]) {
    const [one, other] = [await read({ orderBy: key, orderAsc }), await read({ orderBy: UNKNOWN_MEMBER, orderAsc })];
    if (!isServed(one.exchange) || !isServed(other.exchange)) return false;
    const [ids, otherIds] = [one, other].map(({ items }) => items.map((item) => keyOf(item)));
    // Others may change the list between two reads.
    const inBoth = (all: readonly string[] = [], among: readonly string[] = []): readonly string[] =>
      all.filter((id) => among.includes(id));
    if (!isSameList(inBoth(ids, otherIds), inBoth(otherIds, ids))) return false;
  }
  return true;
}

/** The first half of the list, and the second one as a page of its own: each page alone may be sorted. */
async function withSecondPage(
  t: TestContext,
  fixture: ListFixture,
  query: Record<string, Json>,
): Promise<Listed | undefined> {
  const { operation, request, ids, isolated } = fixture;
  if (!isolated || pagingOf(operation) === undefined) return undefined;
  const half = Math.ceil(ids.size / 2);
  const sorted = { operation, request: { ...request, query: { ...request.query, ...query } } };
  const [first, second] = [await readPage(t, sorted, 0, half), await readPage(t, sorted, 1, half)];
  if (!isServed(first.exchange)) return undefined;
  const items = [first, second].flatMap(({ exchange }) => itemsIn(exchange) ?? []);
  const pages = [first.exchange, second.exchange];
  return { before: first.exchange, exchange: second.exchange, pages, items };
}
