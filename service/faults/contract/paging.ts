import type { Call, Wrap } from '../../http/call.ts';
import { isFields } from '../../model/shape.ts';
import { contract } from '../fault.ts';
import * as op from '../operations.ts';
import { ignoring, query, refused } from '../parts.ts';

const PAGE = 'page is the zero-based index of the page, 0 where it is left out.';
const TAKE = 'take is the number of items of a page, 20 where it is left out.';
const PARTITION = 'Pages hold every item exactly once.';
const NUMBER = 'pageNumber is the one-based number of the page, 1 where it is left out.';
const SIZE = 'pageSize is the number of items of a page, 10 where it is left out.';

const NUMBERED = [op.RUNS, op.CHATS, op.RUN_RESULTS, op.RESULTS];
const TAKEN = [op.POLICIES, op.AUDIT, op.AUDIT_MANY];
const ALL = String(2 ** 31 - 1);

type Cut = (items: readonly unknown[], page: number, take: number) => readonly unknown[] | undefined;

/** Serves the whole list and cuts the page in another way; undefined makes the service fail. */
function cutting(cut: Cut): Wrap {
  return async (call, next) => {
    const [page, take] = [call.query.int32('page', 0, 0), call.query.int32('take', 20, 0)];
    call.query = call.query.with('page', '0').with('take', ALL);
    const answer = await next(call);
    if (!Array.isArray(answer.body)) return answer;
    const rest = cut(answer.body, page, take);
    return rest === undefined ? refused(500) : { ...answer, body: rest };
  };
}

/** The same for one-based pages; `page` is zero-based here too. */
function cuttingNumbered(cut: Cut): Wrap {
  return async (call, next) => {
    const [number, size] = [call.query.int32('pageNumber', 1, 1), call.query.int32('pageSize', 10, 1)];
    call.query = call.query.with('pageNumber', '1').with('pageSize', ALL);
    const answer = await next(call);
    if (!isFields(answer.body) || !Array.isArray(answer.body['data'])) return answer;
    const all: readonly unknown[] = answer.body['data'];
    const data = cut(all, number - 1, size);
    if (data === undefined) return refused(500);
    const totals = {
      totalCount: all.length,
      pageSize: size,
      currentPage: number,
      totalPages: Math.ceil(all.length / size),
    };
    return { ...answer, body: { ...answer.body, ...totals, data } };
  };
}

const slice: Cut = (items, page, take) => items.slice(page * take, page * take + take);
const isPast = (items: readonly unknown[], page: number, take: number) => page > 0 && page * take >= items.length;
const lastPage: Cut = (items, page, take) =>
  slice(items, isPast(items, page, take) ? Math.max(0, Math.ceil(items.length / take) - 1) : page, take);
const overlapping: Cut = (items, page, take) => {
  const start = Math.max(0, page * take - page);
  return items.slice(start, start + take);
};
const skipping: Cut = (items, page, take) => {
  const start = page * take + page;
  return items.slice(start, start + take);
};
const withoutLast: Cut = (items, page, take) => slice(items.slice(0, Math.max(1, items.length - 1)), page, take);
const failingPast: Cut = (items, page, take) => (isPast(items, page, take) ? undefined : slice(items, page, take));
const oneMore: Cut = (items, page, take) => items.slice(page * take, page * take + take + 1);

const shifted = (name: string, by: number, least: number) =>
  query(name, (given) => (given === undefined ? undefined : String(Math.max(least, Number(given) + by))));

function past404(call: Call): boolean {
  return (call.query.text('page') ?? '0') !== '0';
}

export const pagingFaults = {
  'take-default-10': contract('Lists hold 10 items where take is left out', TAKE, [op.POLICIES], () => ({
    outer: query('take', (given) => given ?? '10'),
  })),
  'take-default-25': contract('Lists hold 25 items where take is left out', TAKE, [op.POLICIES], () => ({
    outer: query('take', (given) => given ?? '25'),
  })),
  'audit-take-default-50': contract('The audit log holds 50 entries where take is left out', TAKE, [op.AUDIT], () => ({
    outer: query('take', (given) => given ?? '50'),
  })),
  'take-ignored': contract('take is ignored', TAKE, TAKEN, () => ({ outer: ignoring('take') })),
  'take-at-most-15': contract('take is silently cut to 15', TAKE, [op.POLICIES], () => ({
    outer: query('take', (given) => String(Math.min(15, Number(given ?? 20)))),
  })),
  'take-plus-one': contract('A page holds an item more than take', TAKE, [op.POLICIES], () => ({
    inner: cutting(oneMore),
  })),
  'page-ignored': contract('page is ignored', PAGE, [op.POLICIES], () => ({ outer: ignoring('page') })),
  'page-one-based': contract('page is one-based', PAGE, [op.POLICIES], () => ({ outer: shifted('page', -1, 0) })),
  'page-default-1': contract('The second page comes where page is left out', PAGE, [op.POLICIES], () => ({
    outer: query('page', (given) => given ?? '1'),
  })),
  'audit-page-one-based': contract('The audit log counts pages from 1', PAGE, [op.AUDIT, op.AUDIT_MANY], () => ({
    outer: shifted('page', -1, 0),
  })),
  'pages-overlap': contract('The last item of a page is the first of the next', PARTITION, [op.POLICIES], () => ({
    inner: cutting(overlapping),
  })),
  'pages-skip': contract('An item is lost between two pages', PARTITION, [op.POLICIES], () => ({
    inner: cutting(skipping),
  })),
  'last-item-lost': contract('The last item of the list is on no page', PARTITION, [op.POLICIES], () => ({
    inner: cutting(withoutLast),
  })),
  'past-end-repeats': contract(
    'A page past the end repeats the last page',
    'A page past the end is empty.',
    [op.POLICIES],
    () => ({ inner: cutting(lastPage) }),
  ),
  'past-end-500': contract(
    'A page past the end makes the service fail',
    'A page past the end is empty.',
    [op.POLICIES],
    () => ({ inner: cutting(failingPast) }),
  ),
  'past-end-404': contract(
    'A page past the end is answered with 404',
    'A page past the end is empty.',
    [op.POLICIES],
    () => ({
      outer: async (call, next) => {
        const answer = await next(call);
        return past404(call) && Array.isArray(answer.body) && answer.body.length === 0 ? refused(404) : answer;
      },
    }),
  ),
  'page-number-zero-based': contract('pageNumber is zero-based', NUMBER, NUMBERED, () => ({
    outer: query('pageNumber', (given) => (given === undefined ? undefined : String(Number(given) + 1))),
  })),
  'page-number-ignored': contract('pageNumber is ignored', NUMBER, [op.RESULTS, op.CHATS], () => ({
    outer: ignoring('pageNumber'),
  })),
  'page-number-default-2': contract('The second page comes where pageNumber is left out', NUMBER, [op.CHATS], () => ({
    outer: query('pageNumber', (given) => given ?? '2'),
  })),
  'page-size-default-20': contract('Pages hold 20 items where pageSize is left out', SIZE, NUMBERED, () => ({
    outer: query('pageSize', (given) => given ?? '20'),
  })),
  'page-size-default-5': contract('Pages hold 5 items where pageSize is left out', SIZE, [op.RUN_RESULTS], () => ({
    outer: query('pageSize', (given) => given ?? '5'),
  })),
  'page-size-ignored': contract('pageSize is ignored', SIZE, [op.RESULTS, op.RUN_RESULTS, op.CHATS], () => ({
    outer: ignoring('pageSize'),
  })),
  'numbered-pages-overlap': contract('Pages of results overlap', PARTITION, [op.RESULTS, op.RUN_RESULTS], () => ({
    inner: cuttingNumbered(overlapping),
  })),
  'numbered-last-item-lost': contract('The last chat is on no page', PARTITION, [op.CHATS], () => ({
    inner: cuttingNumbered(withoutLast),
  })),
  'numbered-past-end-repeats': contract(
    'A page of results past the end repeats the last',
    'A page past the end is empty.',
    [op.RUN_RESULTS],
    () => ({ inner: cuttingNumbered(lastPage) }),
  ),
} as const;
