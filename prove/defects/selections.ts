import type { Defect } from '../defect.ts';
import { number, withQuery } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asObject, items } from '../proxy/json.ts';
import { parsed, relisted, succeeded, withJson } from '../proxy/reply.ts';
import type { Make } from '../proxy/message.ts';
import { misreads, PAGED, defect, SORTED, str, where } from './kit.ts';
import type { Asked } from './kit.ts';
import { CHATS, LIST, NUMBERED, RESULTS, RUNS } from './operations.ts';

/** Sorts each page by a member, and not the list. */
const sortsEachPage = (member: string): Make =>
  at(where([LIST], (_, { search }) => search.get('orderBy') === member)).handles(async (call, next) => {
    const reply = await next(withQuery(call, { orderBy: undefined, orderAsc: undefined }));
    const sign = call.search.get('orderAsc') === 'false' ? -1 : 1;
    const valueOf = (item: unknown): string => str(asObject(item)[member]);
    return succeeded(reply)
      ? relisted(reply, (list) => list.toSorted((a, b) => (valueOf(a) < valueOf(b) ? -sign : sign)))
      : reply;
  });

/** Reverses each page of a filtered list, and not the list. */
const reversesEachPage = (op: OperationId, filter: string): Make =>
  at(where([op], (_, { search }) => search.get('sortDirection') === '1' && search.has(filter))).handles(
    async (call, next) => {
      const reply = await next(withQuery(call, { sortDirection: undefined }));
      return succeeded(reply) ? relisted(reply, (list) => list.toReversed()) : reply;
    },
  );

/** Answers with the page after the one that was asked for; a page without items has no list. */
const nextPageOrNoList: Make = at(where([CHATS])).handles(async (call, next) => {
  const reply = await next(withQuery(call, { pageNumber: number(call, 'pageNumber', 1) + 1 }));
  const page = parsed(reply);
  return succeeded(reply) && items(page).length === 0 ? withJson(reply, { ...asObject(page), data: undefined }) : reply;
});

const isOrderedOnly: Asked = (search) => search.has('orderBy') && !search.has('take');

/** Defects of lists with some parameters and without others. */
export const SELECTIONS: readonly Defect[] = [
  {
    ...misreads('take-1000-without-a-query', PAGED, [LIST], (search) => search.size === 0, { take: 1000 }),
    checks: ['paging-defaults'],
  },
  {
    ...misreads('take-10-by-default-with-an-order', PAGED, [LIST], isOrderedOnly, { take: 10 }),
    checks: ['paging-defaults'],
  },
  misreads(
    'order-ignored-without-a-search',
    'orderBy and orderAsc order the list (section 8)',
    [LIST],
    (search) => search.get('orderBy') === 'name' && !search.has('searchName'),
    { orderBy: undefined },
  ),
  defect('created-at-sorted-on-each-page', SORTED, [LIST], ['ordering']).by(sortsEachPage('createdAt')),
  defect('chats-from-the-second-page-on-and-no-list-if-empty', PAGED, [CHATS], ['paging-base']).by(nextPageOrNoList),
  misreads(
    'active-ignored-with-a-creator',
    'filterActive selects (section 4)',
    [LIST],
    (search) => search.has('filterActive') && search.has('filterCreator'),
    { filterActive: undefined },
  ),
  defect('results-of-a-state-reversed-on-each-page', PAGED, [RESULTS], ['ordering', 'filters']).by(
    reversesEachPage(RESULTS, 'state'),
  ),
  defect('runs-of-a-type-reversed-on-each-page', PAGED, [RUNS], ['ordering', 'filters']).by(
    reversesEachPage(RUNS, 'runType'),
  ),
  ...(['sortDirection', 'state'] as const).map((name) => ({
    ...misreads(
      `page-size-20-by-default-with-${name}`,
      PAGED,
      name === 'state' ? [RESULTS] : NUMBERED,
      (search) => search.has(name) && !search.has('pageSize'),
      { pageSize: 20 },
    ),
    checks: ['paging-defaults'] as const,
  })),
];
