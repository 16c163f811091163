import { area } from '../define.ts';
import {
  asObject,
  asks,
  at,
  items,
  number,
  parsed,
  relist,
  succeeded,
  withItems,
  withJson,
  withQuery,
} from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';

const LIST = 'GET /accesscontrolpolicies';
const row = area('filters');
const flip = (value: string | null): string => (value?.toLowerCase() === 'true' ? 'false' : 'true');
const has =
  (name: string) =>
  (call: Call): boolean =>
    call.search.has(name);
const ignoring = (name: string, when: (call: Call) => boolean = () => true): Make =>
  asks({ op: LIST, when: (call) => call.search.has(name) && when(call) }, (call) =>
    withQuery(call, { [name]: undefined }),
  );

/** Takes the page first and filters it then. */
function filterAfterPaging(name: string): Make {
  return at({ op: LIST, when: has(name) }, async (call, next) => {
    const [page, all] = [
      await next(withQuery(call, { [name]: undefined })),
      await next(withQuery(call, { page: 0, take: 10_000 })),
    ];
    const kept = new Set(items(parsed(all)).map((item) => asObject(item)['id']));
    const value = parsed(page);
    return succeeded(page)
      ? withJson(
          page,
          withItems(
            value,
            items(value).filter((item) => kept.has(asObject(item)['id'])),
          ),
        )
      : page;
  });
}

/** What the filter would leave out. */
function inverted(name: string): Make {
  return at({ op: LIST, when: has(name) }, async (call, next) => {
    const all = await next(withQuery(call, { [name]: undefined, page: 0, take: 10_000 }));
    const matching = new Set(
      items(parsed(await next(withQuery(call, { page: 0, take: 10_000 })))).map((item) => asObject(item)['id']),
    );
    const value = parsed(all);
    const [page, take] = [number(call, 'page', 0), number(call, 'take', 20)];
    const rest = items(value)
      .filter((item) => !matching.has(asObject(item)['id']))
      .slice(page * take, (page + 1) * take);
    return succeeded(all) ? withJson(all, withItems(value, rest)) : all;
  });
}

function byName(list: readonly unknown[], call: Call): readonly unknown[] {
  const field = call.search.get('orderBy') ?? '';
  const sign = call.search.get('orderAsc')?.toLowerCase() === 'false' ? -1 : 1;
  return [...list].sort((a, b) => sign * String(asObject(a)[field]).localeCompare(String(asObject(b)[field])));
}

const ORDERS: readonly Mutant[] = [
  row('order-asc-ignored', 'orderAsc: ascending order (section 8)', LIST, ignoring('orderAsc')),
  row(
    'order-asc-inverted',
    'orderAsc: ascending order (section 8)',
    LIST,
    asks({ op: LIST, when: has('orderBy') }, (call) =>
      withQuery(call, { orderAsc: flip(call.search.get('orderAsc') ?? 'true') }),
    ),
  ),
  row('order-by-ignored', 'orderBy: field to sort by (section 8)', LIST, ignoring('orderBy')),
  row(
    'order-by-descending-ignored',
    'orderAsc false is descending (section 8)',
    LIST,
    asks({ op: LIST, when: (call) => call.search.get('orderAsc')?.toLowerCase() === 'false' }, (call) =>
      withQuery(call, { orderBy: undefined, orderAsc: undefined }),
    ),
  ),
  row(
    'order-by-within-page-only',
    'orderBy sorts the list, not the page (section 8)',
    LIST,
    at({ op: LIST, when: has('orderBy') }, async (call, next) => {
      const reply = await next(withQuery(call, { orderBy: undefined, orderAsc: undefined }));
      const value = parsed(reply);
      return succeeded(reply) ? withJson(reply, withItems(value, byName(items(value), call))) : reply;
    }),
  ),
  row(
    'order-by-first-page-only',
    'orderBy sorts the list (section 8)',
    LIST,
    ignoring('orderBy', (call) => number(call, 'page', 0) > 0),
  ),
  row(
    'order-by-with-filter-ignored',
    'orderBy: field to sort by (section 8)',
    LIST,
    ignoring('orderBy', (call) => call.search.has('searchName')),
  ),
  row(
    'order-swaps-neighbours',
    'orderBy: field to sort by (section 8)',
    LIST,
    relist({ op: LIST, when: has('orderBy') }, (list) =>
      list.length > 2 ? [list[1], list[0], ...list.slice(2)] : list,
    ),
  ),
  row(
    'order-shuffled-between-pages',
    'pages of take items follow each other (section 8)',
    LIST,
    asks({ op: LIST, when: (call) => !call.search.has('orderBy') && number(call, 'page', 0) % 2 === 1 }, (call) =>
      withQuery(call, { orderBy: 'name', orderAsc: 'false' }),
    ),
  ),
];

const FILTERS: readonly Mutant[] = [
  row(
    'active-ignored',
    'filterActive boolean: a list can be filtered by it (section 3)',
    LIST,
    ignoring('filterActive'),
  ),
  row(
    'active-inverted',
    'filterActive boolean (section 3)',
    LIST,
    asks({ op: LIST, when: has('filterActive') }, (call) =>
      withQuery(call, { filterActive: flip(call.search.get('filterActive')) }),
    ),
  ),
  row(
    'active-false-ignored',
    'filterActive=false selects inactive policies (section 3)',
    LIST,
    ignoring('filterActive', (call) => call.search.get('filterActive')?.toLowerCase() === 'false'),
  ),
  row(
    'active-true-ignored',
    'filterActive=true selects active policies (section 3)',
    LIST,
    ignoring('filterActive', (call) => call.search.get('filterActive')?.toLowerCase() === 'true'),
  ),
  row(
    'active-false-empty',
    'filterActive=false selects inactive policies (section 3)',
    LIST,
    relist({ op: LIST, when: (call) => call.search.get('filterActive')?.toLowerCase() === 'false' }, () => []),
  ),
  row('active-after-paging', 'take: items per page (section 8)', LIST, filterAfterPaging('filterActive')),
  row(
    'active-on-first-page-only',
    'filterActive boolean (section 3)',
    LIST,
    ignoring('filterActive', (call) => number(call, 'page', 0) > 0),
  ),
  row(
    'active-with-search-ignored',
    'filterActive boolean (section 3)',
    LIST,
    ignoring('filterActive', (call) => call.search.has('searchName')),
  ),
  row(
    'active-loses-one',
    'filterActive=true selects the active policies (section 3)',
    LIST,
    relist(
      {
        op: LIST,
        when: (call) => call.search.get('filterActive')?.toLowerCase() === 'true' && number(call, 'page', 0) === 0,
      },
      (list) => (list.length > 1 ? list.slice(0, -1) : list),
    ),
  ),
  row('search-ignored', 'searchName string (section 4)', LIST, ignoring('searchName')),
  row('search-inverted', 'searchName string (section 4)', LIST, inverted('searchName')),
  row(
    'search-after-paging',
    'searchName selects from the list, not from a page (section 4)',
    LIST,
    filterAfterPaging('searchName'),
  ),
  row(
    'search-on-first-page-only',
    'searchName string (section 4)',
    LIST,
    ignoring('searchName', (call) => number(call, 'page', 0) > 0),
  ),
  row(
    'search-with-active-ignored',
    'searchName string (section 4)',
    LIST,
    ignoring('searchName', (call) => call.search.has('filterActive')),
  ),
  row(
    'search-miss-gives-all',
    'searchName string (section 4)',
    LIST,
    at({ op: LIST, when: has('searchName') }, async (call, next) => {
      const reply = await next();
      return succeeded(reply) && items(parsed(reply)).length === 0 && number(call, 'page', 0) === 0
        ? next(withQuery(call, { searchName: undefined }))
        : reply;
    }),
  ),
  row(
    'search-always-empty',
    'searchName string (section 4)',
    LIST,
    relist({ op: LIST, when: has('searchName') }, () => []),
  ),
  row(
    'search-first-hit-only',
    'searchName string (section 4)',
    LIST,
    relist({ op: LIST, when: has('searchName') }, (list) => list.slice(0, 1)),
  ),
  row('creator-ignored', 'filterCreator string (section 4)', LIST, ignoring('filterCreator')),
  row(
    'creator-always-empty',
    'filterCreator string (section 4)',
    LIST,
    relist({ op: LIST, when: has('filterCreator') }, () => []),
  ),
  row('creator-inverted', 'filterCreator string (section 4)', LIST, inverted('filterCreator')),
];

export const PAGING_FILTERS: readonly Mutant[] = [...ORDERS, ...FILTERS];
