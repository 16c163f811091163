import { count } from '../../spec/count.ts';
import { isServed, isSuccess } from '../../spec/index.ts';
import type { Exchange, Operation, Violation } from '../../spec/index.ts';
import { itemsIn, keysIn, numberDuplicates } from '../../domain/items.ts';
import { listFixtureFor, readPage, whileSteady } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import { isRepeated, pagingOf } from '../../domain/read-list.ts';
import type { Paging } from '../../domain/read-list.ts';
import { idNameOf } from '../../domain/resources.ts';
import type { Evaluate, Evaluation, TestContext } from '../kit/context.ts';
import { defineForForms } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { withSetup, violationOf } from '../kit/violation.ts';
import { findOtherSize, hasDefaultSize, hasDefaultSizeWith } from './default-page.ts';
import { showsItsItems } from './form-contents.ts';
import { withReason } from './filter-after-paging.ts';
import { findSkipped } from './large-pages.ts';
import { findShownOtherwise } from './listed-members.ts';
import {
  inReverse,
  isAlike,
  MOST_SHARED_PAGES,
  PAGING_REQUIREMENTS,
  pagesViolation,
  pageTooLong,
  showsAll,
  unfiltered,
} from './page-rules.ts';
import type { Page } from './page-rules.ts';
import { tiedMembers } from './sort-order.ts';
import { isNoJson, isSameList, statusOf } from './violations.ts';

const session = await openSession();

/** Page sizes that divide a list of 13 to 23 items differently. */
const SIZES = [5, 7];

/** Page size for the list in reverse order, and where only the size is given. */
const FEW = 4;

/** Page size for the list without a filter: the items of the fixture alone then fill four pages. */
const SIZE_OF_ALL = 6;

for (const operation of session.contract.operations) {
  const paging = pagingOf(operation);
  if (paging === undefined || operation.method !== 'GET' || !session.knowledge.guarantees('paging', operation))
    continue;
  const requirements = PAGING_REQUIREMENTS[paging.first];
  const base = { suite: 'contract/paging', operation, effects: ['read'] } as const;
  defineForForms(session, {
    ...base,
    title: 'uses the documented defaults without paging parameters',
    checks: ['paging-defaults', 'form-equivalence'],
    requirements: [requirements.number, requirements.sizeDefault],
    run: async (t, form) => {
      const fixture = await listFixtureFor(t, operation, form);
      if (!(await showsItsItems(t, fixture, form))) return;
      if (!(await judge(t, fixture, () => usesDefaults(t, fixture, paging)))) return;
      const whole = unfiltered(fixture);
      if (whole !== undefined) await judge(t, fixture, (t) => hasDefaultSize(t, whole, paging));
    },
  });
  defineForForms(session, {
    ...base,
    title: 'returns every item on exactly one page',
    checks: ['paging-partition', 'paging-base', 'form-equivalence', 'created-reads-back'],
    requirements: ['paging.partition', requirements.base, requirements.size, ...requirements.wrapper],
    cost: 40,
    run: async (t, form) => {
      const fixture = await listFixtureFor(t, operation, form);
      if (!(await showsItsItems(t, fixture, form))) return;
      for (const size of sizesFor(t, fixture))
        if (!(await judge(t, fixture, (t) => partitions(t, fixture, paging, size)))) return;
      await judge(t, fixture, (t) => holdsOne(t, fixture, paging));
      await judge(t, fixture, (t) => findShownOtherwise(t, fixture));
      const whole = unfiltered(fixture);
      if (whole !== undefined) await judge(t, fixture, (t) => partitions(t, whole, paging, SIZE_OF_ALL, true));
      await judge(t, fixture, (t) => findSkipped(t, whole ?? fixture, paging));
      const reversed = inReverse(fixture);
      if (reversed !== undefined && isServed((await readPage(t, reversed, 0, FEW)).exchange))
        await judge(t, fixture, (t) => partitions(t, reversed, paging, FEW));
      for (const sorted of await sortedWithTies(t, fixture))
        if (!(await judge(t, fixture, (t) => partitions(t, sorted, paging, FEW)))) return;
    },
  });
  defineForForms(session, {
    ...base,
    title: 'returns an empty page past the end',
    checks: ['paging-past-end'],
    requirements: ['paging.past-end'],
    run: async (t, form) => {
      const fixture = await listFixtureFor(t, operation, form);
      const next = (): number => Math.ceil(fixture.ids.size / 5);
      for (const indexOf of [...(fixture.isolated ? [next, () => next() + 1] : []), () => 100_000])
        if (!(await judge(t, fixture, (t) => endsEmpty(t, fixture, indexOf())))) return;
      for (const [index, size] of OVERFLOWING)
        await judge(t, fixture, (t) => endsEmpty(t, fixture, index, { size, mayRefuse: true }));
    },
  });
}

/** Sizes with which the list has two pages at least. */
function sizesFor(t: TestContext, { shown = Infinity }: ListFixture): readonly number[] {
  if (shown < 2) t.skip('the list has too few items for two pages');
  const sizes = SIZES.filter((size) => size < shown);
  return sizes.length > 0 ? sizes : [Math.ceil(shown / 2)];
}

/** Most members with equal values by which the list is sorted. */
const MOST_TIED = 3;

/** The same list, sorted by members that several items have alike: pages are still parts of one order. */
async function sortedWithTies(t: TestContext, fixture: ListFixture): Promise<readonly ListFixture[]> {
  const { operation, request, ids, isolated } = fixture;
  if (!isolated || !operation.parameters.some((each) => each.in === 'query' && each.name === 'orderBy')) return [];
  const { exchange } = await readPage(t, fixture, 0, ids.size);
  const sorted = tiedMembers(itemsIn(exchange) ?? [])
    .slice(0, MOST_TIED)
    .map((orderBy) => ({ ...fixture, request: { ...request, query: { ...request.query, orderBy } } }));
  // Which members a list can be sorted by is not documented.
  const pages = await Promise.all(sorted.map((each) => readPage(t, each, 0, FEW)));
  return sorted.filter((_, index) => pages[index] !== undefined && isServed(pages[index].exchange));
}

/** Reports the violation that `evaluate` finds in the list as it is now. */
function judge(t: TestContext, fixture: ListFixture, evaluate: Evaluate): Promise<boolean> {
  return t.holds(async (t) => withSetup(fixture.filledBy, await whileSteady(fixture, () => evaluate(t))));
}

async function usesDefaults(t: TestContext, fixture: ListFixture, paging: Paging): Evaluation {
  const { operation, request } = fixture;
  const bare = await t.send(operation, { ...request, label: 'without paging parameters' });
  const explicit = await readPage(t, fixture, 0, paging.defaultSize);
  const alone = (name: string, value: number): Promise<Exchange> =>
    t.send(operation, { ...request, query: { ...request.query, [name]: value }, label: `${name} alone` });
  const sizeAlone = await alone(paging.size, FEW);
  const numberAlone = await alone(paging.number, paging.first);
  const second = await readPage(t, fixture, 1, paging.defaultSize);
  const secondAlone = await alone(paging.number, paging.first + 1);
  const secondAgain = await readPage(t, fixture, 1, paging.defaultSize);
  const again = await t.send(operation, { ...request, label: 'without paging parameters, again' });
  const idName = idNameOf(t.contract, operation);
  const ids = keysIn(bare, idName);
  if (ids === undefined || explicit.ids === undefined) return noList(t, operation, bare, explicit.exchange);
  const { size } = PAGING_REQUIREMENTS[paging.first];
  // A deployment may refuse some page sizes.
  const few = { exchange: sizeAlone, ids: keysIn(sizeAlone, idName) ?? [] };
  const tooLong =
    pageTooLong(operation, size, paging.defaultSize, { exchange: explicit.exchange, ids: explicit.ids }) ??
    pageTooLong(operation, size, FEW, few);
  if (tooLong !== undefined) return tooLong;
  const otherSize = findOtherSize(fixture, paging, bare);
  if (otherSize !== undefined) return otherSize;
  if (!isSameList(ids, keysIn(again, idName) ?? [])) return undefined;
  for (const exchange of [bare, ...(isServed(sizeAlone) ? [sizeAlone] : []), numberAlone]) {
    const wantedSize = exchange === sizeAlone ? FEW : paging.defaultSize;
    if (!isSameList(keysIn(exchange, idName) ?? [], explicit.ids.slice(0, wantedSize)))
      return violationOf(exchange === numberAlone ? 'paging-defaults/size' : 'paging-defaults/number', operation, {
        requirement: PAGING_REQUIREMENTS[paging.first][exchange === numberAlone ? 'sizeDefault' : 'number'],
        expected: `the same page as with ${paging.number}=${paging.first}&${paging.size}=${wantedSize}`,
        received: 'another page',
        exchanges: [explicit.exchange, exchange],
      });
  }
  const isSteady = second.ids !== undefined && isSameList(second.ids, secondAgain.ids ?? []);
  if (isSteady && !isSameList(keysIn(secondAlone, idName) ?? [], second.ids))
    return violationOf('paging-defaults/size', operation, {
      subject: paging.number,
      requirement: PAGING_REQUIREMENTS[paging.first].sizeDefault,
      expected: `the same page as with ${paging.number}=${paging.first + 1}&${paging.size}=${paging.defaultSize}`,
      received: 'another page',
      exchanges: [second.exchange, secondAlone],
    });
  return hasDefaultSizeWith(t, fixture, paging, itemsIn(bare)?.[0]);
}

/** `isOptional`: the list was judged with other page sizes already, so that the test passes where others keep changing it. */
async function partitions(
  t: TestContext,
  fixture: ListFixture,
  paging: Paging,
  size: number,
  isOptional = false,
): Evaluation {
  const judge = (pages: readonly Page[]): Violation | undefined =>
    pagesViolation({
      fixture,
      requirements: PAGING_REQUIREMENTS[paging.first],
      size,
      pages,
      ids: numberDuplicates(pages.flatMap((each) => each.ids)),
      judgesAll: isOptional || fixture.shown !== undefined,
      exchanges: pages.slice(0, 8).map((each) => each.exchange),
    });
  let read = await readPages(t, fixture, size);
  for (let readings = 1; readings <= MOST_READINGS; readings += 1) {
    if (!('pages' in read)) return noList(t, fixture.operation, read.noList);
    const violation = judge(read.pages);
    if (violation === undefined || fixture.isolated) return withReason(t, fixture, size, violation);
    const again = await readPages(t, fixture, size);
    if ('pages' in again && isAlike(read.pages, again.pages)) return violation;
    read = again;
  }
  return isOptional ? undefined : t.skip('others changed the list while it was read');
}

/** The smallest page holds one item. */
async function holdsOne(t: TestContext, fixture: ListFixture, paging: Paging): Evaluation {
  const { exchange, ids = [] } = await readPage(t, fixture, 0, 1);
  return pageTooLong(fixture.operation, PAGING_REQUIREMENTS[paging.first].size, 1, { exchange, ids });
}

/** Readings of a list that others change: it shows items twice, or not at all, unless two in a row are alike. */
const MOST_READINGS = 6;

type Read = { readonly pages: readonly Page[] } | { readonly noList: Exchange };

/** The pages of a list up to the first one past its end, which is empty or repeats the last one, or the response that is no list. */
async function readPages(t: TestContext, fixture: ListFixture, size: number): Promise<Read> {
  const pages: Page[] = [];
  const wholePages = Math.ceil(fixture.ids.size / size);
  const most = (fixture.isolated ? wholePages + 1 : MOST_SHARED_PAGES) + 1;
  const read = (index: number): ReturnType<typeof readPage> => readPage(t, fixture, index, size);
  // Where nobody else adds items, the number of pages is known and all can be read at once.
  const first = fixture.isolated
    ? await Promise.all(Array.from({ length: wholePages + 1 }, (_, index) => read(index)))
    : [];
  for (let index = 0; index <= most; index += 1) {
    const { exchange, ids } = first[index] ?? (await read(index));
    if (ids === undefined && index * size >= Math.max(1, fixture.ids.size)) break;
    if (ids === undefined) return { noList: exchange };
    if (isRepeated(ids, pages.at(-1)?.ids ?? []) && (ids.length < size || showsAll(fixture, pages))) break;
    pages.push({ exchange, ids });
    if (ids.length === 0) break;
  }
  return { pages };
}

/**
 * Pages, and their size, of which the offset exceeds 32 bits: what is left of it is small, or negative. The number of the page itself
 * does not, from whichever number they are counted.
 */
const OVERFLOWING = [
  [858_993_460, 5],
  [2_147_483_646, 20],
] as const;

/** `mayRefuse`: a status other than 200 is allowed too. */
async function endsEmpty(
  t: TestContext,
  fixture: ListFixture,
  index: number,
  { size = 5, mayRefuse = false } = {},
): Evaluation {
  const { exchange } = await readPage(t, fixture, index, size);
  const items = itemsIn(exchange);
  const status = statusOf(exchange);
  const hasItems = items !== undefined && items.length > 0;
  if (isNoJson(exchange)) t.skip('the page is not returned as JSON');
  // Which success it is, contract/operations judges.
  if ((isSuccess(status) && items?.length === 0) || (mayRefuse && status !== 200)) return undefined;
  return violationOf(`paging-past-end/${hasItems ? 'items' : 'status'}`, fixture.operation, {
    subject: hasItems ? undefined : String(status),
    requirement: 'paging.past-end',
    expected: 'status 200 and no items',
    received: hasItems ? count(items.length, 'item') : `status ${status}`,
    exchanges: [exchange],
  });
}

function noList(t: TestContext, operation: Operation, ...exchanges: readonly Exchange[]): Violation {
  const last = exchanges.at(-1);
  if (exchanges.some(isNoJson)) t.skip('a page of the list is not returned as JSON');
  return violationOf('paging-partition/no-list', operation, {
    requirement: 'paging.partition',
    expected: 'a list',
    received: `status ${last?.response?.status ?? 'none'} without a list`,
    exchanges,
  });
}
