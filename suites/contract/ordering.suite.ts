import type { Exchange, Json } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';
import { idOf, itemsOf, mentions } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import type { Violation, TestContext } from '../kit/context.ts';
import { pageQuery, pagingOf } from '../../domain/read-list.ts';
import { listFixtureFor } from '../../domain/list-fixture.ts';

const session = await openSession();

for (const operation of session.contract.operations) {
  const has = (name: string): boolean => operation.parameters.some((each) => each.in === 'query' && each.name === name);
  for (const form of operation.forms) {
    if (has('orderBy') && has('orderAsc')) {
      defineTest(
        session,
        {
          suite: 'contract/ordering',
          title: 'orderBy sorts and orderAsc turns the order round',
          operation,
          form,
          checks: ['ordering'],
          requirements: ['policies.order-by', 'paging.order-by', 'paging.order-asc', 'paging.order-asc-default'],
          effects: ['read', 'reversible'],
        },
        async (t) => {
          const fixture = await listFixtureFor(t, operation);
          const at: ListFixture = { ...fixture, request: { ...fixture.request, form } };
          const key = await nameKey(t, at);
          if (!(await t.holds(() => sortedBy(t, at, key)))) return;
          await t.holds(() => otherFields(t, at, key));
        },
      );
    }
    if (has('sortDirection') && pagingOf(operation) !== undefined) {
      defineTest(
        session,
        {
          suite: 'contract/ordering',
          title: 'sortDirection turns the order round',
          operation,
          form,
          checks: ['ordering'],
          requirements: ['paging.sort-direction'],
          effects: ['read'],
        },
        async (t) => {
          const fixture = await listFixtureFor(t, operation);
          await t.holds(() => turnsRound(t, { ...fixture, request: { ...fixture.request, form } }));
        },
      );
    }
  }
}

interface Listed {
  readonly exchange: Exchange;
  /** Own items only, in the order of the list. */
  readonly items: readonly Json[];
}

async function list(t: TestContext, fixture: ListFixture, query: Record<string, Json>): Promise<Listed> {
  const paging = pagingOf(fixture.operation);
  const size = Math.max(200, fixture.ids.size + 10);
  const pages = paging === undefined ? {} : pageQuery(paging, 0, size);
  const exchange = await t.send(fixture.operation, {
    ...fixture.request,
    query: { ...fixture.request.query, ...pages, ...query },
    label: JSON.stringify(query),
  });
  const all = itemsOf(exchange.response?.json) ?? [];
  return { exchange, items: fixture.ids.size === 0 ? all : all.filter((item) => fixture.ids.has(idOf(item) ?? '')) };
}

/** The member that holds the names which this run gave. */
async function nameKey(t: TestContext, fixture: ListFixture): Promise<string> {
  const { items } = await list(t, fixture, {});
  const [first] = items;
  const key = isObject(first)
    ? Object.keys(first).find((each) => typeof first[each] === 'string' && mentions(first[each], t.session.tag))
    : undefined;
  return key ?? t.skip('the list shows no name to sort by');
}

async function sortedBy(t: TestContext, fixture: ListFixture, key: string): Promise<Violation | undefined> {
  const { operation } = fixture;
  const up = await list(t, fixture, { orderBy: key, orderAsc: true });
  const down = await list(t, fixture, { orderBy: key, orderAsc: false });
  const plain = await list(t, fixture, { orderBy: key });
  const [upNames, downNames, plainNames] = [up, down, plain].map((each) => each.items.map((item) => textOf(item, key)));
  const wanted = [...(upNames ?? [])].sort();
  const backwards = wanted.toReversed();
  const tell = (
    requirement: string,
    cause: string,
    expected: readonly string[],
    got: readonly string[],
    exchanges: readonly Exchange[],
  ): Violation => ({
    check: 'ordering',
    requirement,
    operation,
    cause,
    message: `${operation.id}: ${cause}`,
    expected: shown(expected),
    received: shown(got),
    exchanges,
  });
  if (same(upNames, downNames))
    return tell(
      same(upNames, wanted) ? 'paging.order-asc' : 'paging.order-by',
      same(upNames, wanted) || same(upNames, backwards) ? 'orderAsc changes nothing' : 'orderBy does not sort',
      backwards,
      downNames ?? [],
      [up.exchange, down.exchange],
    );
  if (same(upNames, backwards))
    return tell('paging.order-asc', 'orderAsc=true sorts descending', wanted, upNames ?? [], [up.exchange]);
  if (!same(upNames, wanted))
    return tell('paging.order-by', 'orderBy does not sort', wanted, upNames ?? [], [up.exchange]);
  if (!same(downNames, backwards))
    return tell('paging.order-asc', 'orderAsc=false does not sort descending', backwards, downNames ?? [], [
      down.exchange,
    ]);
  if (!same(plainNames, wanted))
    return tell('paging.order-asc-default', 'orderAsc is not true where it is not sent', wanted, plainNames ?? [], [
      plain.exchange,
    ]);
  return undefined;
}

/** Numbers and times of other members: where sorting by them is served, it sorts. */
async function otherFields(t: TestContext, fixture: ListFixture, name: string): Promise<Violation | undefined> {
  const { items } = await list(t, fixture, {});
  const [first] = items;
  const keys = isObject(first) ? Object.keys(first).filter((key) => key !== name && comparable(items, key)) : [];
  for (const key of keys) {
    for (const orderAsc of [true, false]) {
      const got = await list(t, fixture, { orderBy: key, orderAsc });
      if (got.exchange.response?.status !== 200) continue;
      const values = got.items.map((item) => valueOf(item, key));
      const ok = values.every(
        (value, at) => at === 0 || (orderAsc ? (values[at - 1] ?? 0) <= value : (values[at - 1] ?? 0) >= value),
      );
      if (!ok) {
        return {
          check: 'ordering',
          requirement: 'paging.order-by',
          operation: fixture.operation,
          cause: `orderBy=${key} does not sort`,
          message: `${fixture.operation.id}: orderBy=${key} does not sort`,
          expected: `${key} ${orderAsc ? 'ascending' : 'descending'}`,
          received: shown(values.map(String)),
          exchanges: [got.exchange],
        };
      }
    }
  }
  return undefined;
}

/** A direction as int32, or by name where the deployment takes names. */
const DIRECTIONS: readonly (readonly [Json, Json])[] = [
  [0, 1],
  ['Ascending', 'Descending'],
];

async function turnsRound(t: TestContext, fixture: ListFixture): Promise<Violation | undefined> {
  for (const [one, other] of DIRECTIONS) {
    const a = await list(t, fixture, { sortDirection: one });
    const b = await list(t, fixture, { sortDirection: other });
    if (a.exchange.response?.status !== 200 || b.exchange.response?.status !== 200) continue;
    const [first] = a.items;
    const keys = isObject(first) ? Object.keys(first).filter((key) => comparable(a.items, key)) : [];
    const sorting = keys.find((key) => strictly(a.items, key) !== 0);
    if (sorting === undefined || !same(a.items.map(idOf), b.items.map(idOf))) return undefined;
    return {
      check: 'ordering',
      requirement: 'paging.sort-direction',
      operation: fixture.operation,
      cause: 'sortDirection changes nothing',
      message: `${fixture.operation.id}: sortDirection changes nothing`,
      expected: `the other order for sortDirection=${JSON.stringify(other)}`,
      received: `the same order, ${sorting} ${strictly(b.items, sorting) > 0 ? 'ascending' : 'descending'}, for both`,
      exchanges: [a.exchange, b.exchange],
    };
  }
  return undefined;
}

function valueOf(item: Json, key: string): number {
  const value = isObject(item) ? item[key] : undefined;
  return typeof value === 'string' ? Date.parse(value) : Number(value);
}

function textOf(item: Json, key: string): string {
  return isObject(item) && typeof item[key] === 'string' ? item[key] : '';
}

const TIME = /^\d{4}-\d{2}-\d{2}T/;

/** True where all items have a number, or all have a time, there. */
function comparable(items: readonly Json[], key: string): boolean {
  const values = items.map((item) => (isObject(item) ? item[key] : undefined));
  return (
    values.every((each) => typeof each === 'number') ||
    values.every((each) => typeof each === 'string' && TIME.test(each))
  );
}

/** 1 where the values rise and none fall, -1 where they fall and none rise, 0 otherwise; ties alone are no order. */
function strictly(items: readonly Json[], key: string): -1 | 0 | 1 {
  const values = items.map((item) => valueOf(item, key));
  const steps = values.slice(1).map((value, at) => Math.sign(value - (values[at] ?? value)));
  const [rise, fall] = [steps.includes(1), steps.includes(-1)];
  return rise === fall ? 0 : rise ? 1 : -1;
}

function same(a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.length === b.length && a.every((each, at) => each === b[at]);
}

function shown(values: readonly string[]): string {
  return `${values.slice(0, 6).join(', ')}${values.length > 6 ? ', …' : ''}`;
}
