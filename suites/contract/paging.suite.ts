import type { Exchange, Operation } from '../../spec/index.ts';
import { idsOf, itemsOf } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { listFixtureFor, readPage } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import type { Violation, TestContext } from '../kit/context.ts';
import { pagingOf } from '../../domain/read-list.ts';
import type { Paging } from '../../domain/read-list.ts';

const session = await openSession();

/** The sentences, by the style of paging. */
const SENTENCES = {
  page: {
    base: 'paging.page-zero-based',
    number: 'paging.page-default',
    size: 'paging.take',
    sizeDefault: 'paging.take-default',
  },
  pageNumber: {
    base: 'paging.page-number-one-based',
    number: 'paging.page-number-default',
    size: 'paging.page-size',
    sizeDefault: 'paging.page-size-default',
  },
};

/** Page sizes that cut a list of 13 to 23 items in different ways. */
const SIZES = [5, 7, 4];

for (const operation of session.contract.operations) {
  const paging = pagingOf(operation);
  if (paging === undefined || operation.method !== 'GET' || !session.knowledge.guarantees('paging', operation))
    continue;
  const sentences = paging.first === 0 ? SENTENCES.page : SENTENCES.pageNumber;
  for (const form of operation.forms) {
    const shelved = async (t: TestContext): Promise<ListFixture> => {
      const fixture = await listFixtureFor(t, operation);
      return { ...fixture, request: { ...fixture.request, form } };
    };
    defineTest(
      session,
      {
        suite: 'contract/paging',
        title: 'without paging parameters the defaults apply',
        operation,
        form,
        checks: ['paging-defaults'],
        requirements: [sentences.number, sentences.sizeDefault],
        effects: ['read'],
      },
      async (t) => {
        const fixture = await shelved(t);
        await t.holds(() => defaults(t, fixture, paging, sentences));
      },
    );
    defineTest(
      session,
      {
        suite: 'contract/paging',
        title: 'the pages hold every item once',
        operation,
        form,
        checks: ['paging-partition', 'paging-base'],
        requirements: [
          'paging.partition',
          sentences.base,
          sentences.size,
          ...(paging.first === 1 ? ['paging.wrapper'] : []),
        ],
        effects: ['read'],
        cost: 40,
      },
      async (t) => {
        const fixture = await shelved(t);
        for (const size of SIZES) {
          if (!(await t.holds(() => partition(t, fixture, size, sentences)))) return;
        }
      },
    );
    defineTest(
      session,
      {
        suite: 'contract/paging',
        title: 'a page past the end is empty',
        operation,
        form,
        checks: ['paging-past-end'],
        requirements: ['paging.past-end'],
        effects: ['read'],
      },
      async (t) => {
        const fixture = await shelved(t);
        for (const index of [
          ...(fixture.isolated ? [Math.ceil(fixture.ids.size / 5), Math.ceil(fixture.ids.size / 5) + 1] : []),
          100_000,
        ]) {
          if (!(await t.holds(() => pastEnd(t, fixture, index)))) return;
        }
        await t.holds(() => pastEnd(t, fixture, PAST_INT32, true));
      },
    );
  }
}

type Sentences = (typeof SENTENCES)[keyof typeof SENTENCES];

async function defaults(
  t: TestContext,
  fixture: ListFixture,
  paging: Paging,
  sentences: Sentences,
): Promise<Violation | undefined> {
  const { operation } = fixture;
  const bare = await t.send(operation, { ...fixture.request, label: 'without paging parameters' });
  const explicit = await readPage(t, fixture, 0, paging.defaultSize);
  const again = await t.send(operation, { ...fixture.request, label: 'without paging parameters, again' });
  const got = idsOf(bare.response?.json);
  if (got === undefined || explicit.ids === undefined) return noList(operation, bare, explicit.exchange);
  if (fixture.ids.size > paging.defaultSize && got.length !== paging.defaultSize) {
    return violation(operation, 'paging-defaults', sentences.sizeDefault, {
      cause: `default ${paging.size} is not ${paging.defaultSize}`,
      expected: `${paging.defaultSize} items, since ${paging.size} is ${paging.defaultSize} where it is not sent`,
      received: `${got.length} items`,
      exchanges: [bare],
    });
  }
  const steady = same(got, idsOf(again.response?.json) ?? []);
  if (!steady || same(got, explicit.ids)) return undefined;
  return violation(operation, 'paging-defaults', sentences.number, {
    cause: `default ${paging.number} is not ${paging.first}`,
    expected: `the page that ${paging.number}=${paging.first}&${paging.size}=${paging.defaultSize} asks for`,
    received: 'another page',
    exchanges: [explicit.exchange, bare],
  });
}

async function partition(
  t: TestContext,
  fixture: ListFixture,
  size: number,
  sentences: Sentences,
): Promise<Violation | undefined> {
  const { operation } = fixture;
  const pages: { exchange: Exchange; ids: readonly string[] }[] = [];
  for (let index = 0; index < 1000; index += 1) {
    const { exchange, ids } = await readPage(t, fixture, index, size);
    if (ids === undefined) return noList(operation, exchange);
    pages.push({ exchange, ids });
    if (ids.length === 0 || (!fixture.isolated && index > 60)) break;
    if (fixture.isolated && index > Math.ceil(fixture.ids.size / size) + 1) break;
  }
  const exchanges = pages.map((each) => each.exchange);
  const over = pages.find((each) => each.ids.length > size);
  if (over !== undefined)
    return violation(operation, 'paging-partition', sentences.size, {
      cause: 'more items than asked for',
      expected: `at most ${size} items`,
      received: `${over.ids.length} items`,
      exchanges: [over.exchange],
    });
  const [first, second, third] = pages.map((each) => each.ids);
  if (first !== undefined && first.length > 0 && same(first, second ?? []) && !same(second ?? [], third ?? [])) {
    return violation(operation, 'paging-base', sentences.base, {
      cause: 'the first two page numbers give the same page',
      expected: 'other items on the second page',
      received: 'the items of the first',
      exchanges: exchanges.slice(0, 2),
    });
  }
  const ids = pages.flatMap((each) => each.ids);
  const own = ids.filter((each) => fixture.ids.has(each));
  const twice = own.find((each, at) => own.indexOf(each) !== at);
  if (twice !== undefined)
    return violation(operation, 'paging-partition', 'paging.partition', {
      cause: 'an item twice',
      expected: 'each item on one page',
      received: `${twice} on two pages`,
      exchanges: exchanges.slice(0, 8),
    });
  const lost = [...fixture.ids].filter((each) => !own.includes(each));
  if (lost.length > 0 && (fixture.isolated || ids.length < 60 * size))
    return lostItems(fixture, size, pages, lost, sentences);
  const short = pages.slice(0, -2).find((each) => each.ids.length < size);
  if (short !== undefined && fixture.isolated)
    return violation(operation, 'paging-partition', sentences.size, {
      cause: 'a page in the middle is not full',
      expected: `${size} items`,
      received: `${short.ids.length} items`,
      exchanges: [short.exchange],
    });
  const strange = fixture.isolated ? ids.find((each) => !fixture.ids.has(each)) : undefined;
  if (strange === undefined) return undefined;
  return violation(operation, 'paging-partition', 'paging.partition', {
    cause: 'an item that is not in the list',
    expected: 'the items of the list only',
    received: `${strange}, which the list as a whole does not hold`,
    exchanges: exchanges.slice(0, 8),
  });
}

function lostItems(
  fixture: ListFixture,
  size: number,
  pages: readonly { exchange: Exchange; ids: readonly string[] }[],
  lost: readonly string[],
  sentences: Sentences,
): Violation {
  const exchanges = pages.map((each) => each.exchange).slice(0, 8);
  const atStart = fixture.isolated && lost.length >= size && pages.length <= Math.ceil(fixture.ids.size / size);
  return violation(
    fixture.operation,
    atStart ? 'paging-base' : 'paging-partition',
    atStart ? sentences.base : 'paging.partition',
    {
      cause: atStart ? 'the first page is left out' : 'items lost between the pages',
      expected: `${fixture.ids.size} items over all pages of ${size}`,
      received: `${lost.length} of them on no page, for example ${lost[0] ?? ''}`,
      exchanges,
    },
  );
}

/** A page of five whose first item has a number past 32 bits: an offset that is computed so may begin anew. */
const PAST_INT32 = 858_993_460;

/** `far`: the deployment may refuse it. */
async function pastEnd(
  t: TestContext,
  fixture: ListFixture,
  index: number,
  far = false,
): Promise<Violation | undefined> {
  const { exchange } = await readPage(t, fixture, index, 5);
  const items = itemsOf(exchange.response?.json);
  const status = exchange.response?.status ?? 0;
  if ((status === 200 && items?.length === 0) || (far && status !== 200)) return undefined;
  return violation(fixture.operation, 'paging-past-end', 'paging.past-end', {
    cause: items === undefined ? `status ${status}` : 'items past the end',
    expected: 'status 200 and no items',
    received: items === undefined ? `status ${status}` : `${items.length} items`,
    exchanges: [exchange],
  });
}

function noList(operation: Operation, ...exchanges: Exchange[]): Violation {
  return violation(operation, 'paging-partition', 'paging.partition', {
    cause: 'no list',
    expected: 'a list with ids',
    received: `status ${exchanges.at(-1)?.response?.status ?? 'none'} and no list`,
    exchanges,
  });
}

function violation(
  operation: Operation,
  check: Violation['check'],
  requirement: string,
  rest: Pick<Violation, 'cause' | 'expected' | 'received' | 'exchanges'>,
): Violation {
  return { check, requirement, operation, message: `${operation.id}: ${rest.cause}`, ...rest };
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at]);
}
