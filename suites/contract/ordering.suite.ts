import { isServed } from '../../spec/index.ts';
import type { Exchange, Json, Operation, Violation } from '../../spec/index.ts';
import { itemsIn, keysIn, memberOf, mentions } from '../../domain/items.ts';
import { listFixtureFor, readPage } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import { pagingOf } from '../../domain/read-list.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { withSetup, violationOf } from '../kit/violation.ts';
import { readSorted, sortsByOthers } from './sorted-by.ts';
import { membersOf, notReversed, showOrder } from './sort-order.ts';
import { itemTwice, unfiltered } from './page-rules.ts';
import type { Page } from './page-rules.ts';
import { isSameList } from './violations.ts';

const session = await openSession();

const ORDER_REQUIREMENTS = ['policies.order-by', 'paging.order-by', 'paging.order-asc', 'paging.order-asc-default'];

for (const operation of session.contract.operations) {
  const has = (name: string): boolean => operation.parameters.some((each) => each.in === 'query' && each.name === name);
  const base = { suite: 'contract/ordering', operation, checks: ['ordering'] } as const;
  if (has('orderBy') && has('orderAsc'))
    defineForForms(session, {
      ...base,
      checks: ['ordering', 'paging-partition'],
      title: 'orderBy sorts the list and orderAsc sets the direction',
      requirements: ORDER_REQUIREMENTS,
      effects: ['read', 'reversible'],
      run: async (t, form) => {
        const fixture = await listFixtureFor(t, operation, form);
        const key = await nameKey(t, fixture);
        for (const sorts of [sortsByName, sortsAcrossPages, sortsUnfiltered, sortsByOthers])
          if (!(await t.holds(async (t) => withSetup(fixture.filledBy, await sorts(t, fixture, key))))) return;
      },
    });
  if (has('sortDirection') && pagingOf(operation) !== undefined)
    defineForForms(session, {
      ...base,
      title: 'sortDirection sets the direction',
      requirements: ['paging.sort-direction'],
      effects: ['read'],
      run: async (t, form) => {
        const fixture = await listFixtureFor(t, operation, form);
        await t.holds(async (t) => withSetup(fixture.filledBy, await hasDirections(t, fixture)));
      },
    });
}

/** The member that holds the names of the created items. */
async function nameKey(t: TestContext, fixture: ListFixture): Promise<string> {
  const [first] = (await readSorted(t, fixture, {})).items;
  const keys = membersOf(first).filter((each) => mentions(memberOf(first, each), t.tag));
  // Other texts may mention it as well, and be left out of some items.
  const key = keys.find((each) => /name/i.test(each)) ?? keys[0];
  return key ?? t.skip('the list shows no name to sort by');
}

async function sortsByName(t: TestContext, fixture: ListFixture, key: string): Evaluation {
  const read = async (direction: Record<string, Json>): Promise<Names> => {
    const { exchange, pages, items } = await readSorted(t, fixture, { orderBy: key, ...direction });
    if (!fixture.isolated && items.length < fixture.ids.size) t.skip('the list is too long to see all items in order');
    const judged = (fixture.isolated ? pages : [exchange]).map((page) => ({ exchange: page, ids: keysIn(page) ?? [] }));
    return { exchange, pages: judged, names: items.map((item) => textOf(item, key)) };
  };
  const [up, down, unset] = await Promise.all([read({ orderAsc: true }), read({ orderAsc: false }), read({})]);
  if (![up, down, unset].every(({ exchange }) => isServed(exchange)))
    return refusedDirection(t, fixture, [up, down, unset]);
  const twice = itemTwice(fixture.operation, up.pages);
  if (twice !== undefined) return twice;
  const ascending = up.names.toSorted();
  const descending = ascending.toReversed();
  const isSorted = isSameList(up.names, ascending) || isSameList(up.names, descending);
  const wrong = (code: OrderingCode, wanted: readonly string[], seen: Names, before?: Names): Violation =>
    violationOf(code, fixture.operation, {
      requirement: REQUIREMENTS[code],
      expected: shown(wanted),
      received: shown(seen.names),
      exchanges: [before?.exchange, seen.exchange],
    });
  // Nothing shows a direction where there are not two names: the list must have them, whatever its order.
  if (new Set(up.names).size < 2 && up.names.length < fixture.ids.size)
    return violationOf('ordering/order-by', fixture.operation, {
      requirement: REQUIREMENTS['ordering/order-by'],
      expected: `all ${fixture.ids.size} items, sorted`,
      received: `${up.names.length} of them`,
      exchanges: [up.exchange],
    });
  if (new Set(up.names).size < 2) t.skip('the items of the list do not have two different names to sort by');
  if (!isSorted) return wrong('ordering/order-by', ascending, up);
  if (isSameList(up.names, down.names)) return wrong('ordering/order-asc', descending, down, up);
  if (!isSameList(up.names, ascending)) return wrong('ordering/order-asc', ascending, up);
  if (!isSameList(down.names, descending)) return wrong('ordering/order-asc', descending, down);
  if (!isSameList(unset.names, ascending)) return wrong('ordering/order-asc-default', ascending, unset);
  return undefined;
}

/** A direction that is refused, although another one is served with the same member. Which members lists can be sorted by is not documented. */
function refusedDirection(t: TestContext, { operation }: ListFixture, reads: readonly Names[]): Violation | undefined {
  const served = reads.find(({ exchange }) => isServed(exchange));
  for (const name of served === undefined ? ORDER_REQUIREMENTS : []) t.leavesOpen(name);
  const at = reads.findIndex(({ exchange: { response } }) => [400, 422].includes(response?.status ?? 0));
  const refused = reads[at];
  if (served === undefined || refused === undefined) return undefined;
  const code = at === 2 ? 'ordering/order-asc-default' : 'ordering/order-asc';
  return violationOf(code, operation, {
    requirement: REQUIREMENTS[code],
    subject: 'refused',
    expected: 'status 200, as with another direction',
    received: `status ${refused.exchange.response?.status}`,
    exchanges: [served.exchange, refused.exchange],
  });
}

/** Page size that does not divide the list, so that the last page is not full. */
const SORTED_PAGE = 7;

/** All pages of a sorted list together must be sorted, not only each page. */
async function sortsAcrossPages(t: TestContext, fixture: ListFixture, key: string): Evaluation {
  const { operation, request, ids, isolated } = fixture;
  if (!isolated || pagingOf(operation) === undefined) return undefined;
  for (const orderAsc of [true, false]) {
    const sorted = { ...fixture, request: { ...request, query: { ...request.query, orderBy: key, orderAsc } } };
    const indexes = Array.from({ length: Math.ceil(ids.size / SORTED_PAGE) }, (_, index) => index);
    const pages = await Promise.all(indexes.map((index) => readPage(t, sorted, index, SORTED_PAGE)));
    const exchanges = pages.map(({ exchange }) => exchange);
    const names = exchanges.flatMap(({ response }) => itemsIn({ response }) ?? []).map((item) => textOf(item, key));
    if (names.length !== ids.size) continue;
    const violation = againstOrder(operation, 'pages', { names, orderAsc, exchanges });
    if (violation !== undefined) return violation;
  }
  return undefined;
}

/** The list with items of others is sorted as well, so that those of the fixture are in order among them. */
async function sortsUnfiltered(t: TestContext, fixture: ListFixture, key: string): Evaluation {
  const whole = unfiltered(fixture);
  for (const orderAsc of whole === undefined ? [] : [true, false]) {
    const { exchange, items } = await readSorted(t, whole ?? fixture, { orderBy: key, orderAsc });
    const names = isServed(exchange) ? items.map((item) => textOf(item, key)) : [];
    const violation = againstOrder(fixture.operation, 'unfiltered', { names, orderAsc, exchanges: [exchange] });
    if (violation !== undefined) return violation;
  }
  return undefined;
}

interface InOrder {
  readonly names: readonly string[];
  readonly orderAsc: boolean;
  readonly exchanges: readonly Exchange[];
}

function againstOrder(
  operation: Operation,
  subject: 'pages' | 'unfiltered',
  { names, orderAsc, exchanges }: InOrder,
): Violation | undefined {
  const wanted = orderAsc ? names.toSorted() : names.toSorted().toReversed();
  if (isSameList(names, wanted)) return undefined;
  return violationOf('ordering/order-by', operation, {
    subject,
    requirement: 'paging.order-by',
    expected: `${subject === 'pages' ? 'on all pages together ' : ''}${shown(wanted)}`,
    received: shown(names),
    exchanges,
  });
}

interface Names {
  readonly exchange: Exchange;
  /** The pages that show each item once. */
  readonly pages: readonly Page[];
  readonly names: readonly string[];
}

const REQUIREMENTS = {
  'ordering/order-by': 'paging.order-by',
  'ordering/order-asc': 'paging.order-asc',
  'ordering/order-asc-default': 'paging.order-asc-default',
} as const;

type OrderingCode = keyof typeof REQUIREMENTS;

/** Both directions, as int32 or, where the service accepts them, by name. */
const DIRECTIONS: readonly (readonly [Json, Json])[] = [
  [0, 1],
  ['Ascending', 'Descending'],
];

async function hasDirections(t: TestContext, fixture: ListFixture): Evaluation {
  for (const [one, other] of DIRECTIONS) {
    const a = await readSorted(t, fixture, { sortDirection: one });
    const b = await readSorted(t, fixture, { sortDirection: other });
    if (!isServed(a.exchange) || !isServed(b.exchange)) continue;
    const wrong = notReversed(a.items, b.items);
    if (wrong === undefined && !showOrder(a.items, b.items)) t.leavesOpen('paging.sort-direction');
    if (wrong === undefined) return undefined;
    return violationOf('ordering/sort-direction', fixture.operation, {
      requirement: 'paging.sort-direction',
      expected: `the reverse order with sortDirection=${JSON.stringify(other)}`,
      received: wrong,
      exchanges: [a.exchange, b.exchange],
    });
  }
  t.leavesOpen('paging.sort-direction');
  return undefined;
}

function textOf(item: Json, key: string): string {
  const value = memberOf(item, key);
  return typeof value === 'string' ? value : '';
}

function shown(values: readonly string[]): string {
  return `${values.slice(0, 6).join(', ')}${values.length > 6 ? ', …' : ''}`;
}
