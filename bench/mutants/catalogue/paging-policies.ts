import { area } from '../define.ts';
import {
  answers,
  asks,
  at,
  hit,
  items,
  json,
  number,
  parsed,
  problem,
  relist,
  succeeded,
  text,
  empty,
  withItems,
  withJson,
  withQuery,
} from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';

const LIST = 'GET /accesscontrolpolicies';
const row = area('paging');

/** Serves a window of its own over the list that the same filters give. */
function window(
  choose: (page: number, take: number) => readonly [from: number, count: number],
  when: (call: Call) => boolean = () => true,
): Make {
  return at({ op: LIST, when }, async (call, next) => {
    const [from, count] = choose(number(call, 'page', 0), number(call, 'take', 20));
    const whole = await next(withQuery(call, { page: 0, take: 10_000 }));
    const value = parsed(whole);
    return succeeded(whole)
      ? withJson(whole, withItems(value, items(value).slice(Math.max(0, from), Math.max(0, from) + count)))
      : whole;
  });
}

const paged = (call: Call): boolean => number(call, 'page', 0) >= 0 && number(call, 'take', 20) > 0;

function pastTheEnd(reply: Parameters<typeof answers>[1]): Make {
  return answers({ op: LIST, when: (call) => number(call, 'page', 0) > 0 }, (answer, call) =>
    succeeded(answer) && items(parsed(answer)).length === 0 ? reply(answer, call) : answer,
  );
}

const DEFAULTS: readonly Mutant[] = [
  row(
    'take-default-10',
    'take int32 default 20 (section 4)',
    LIST,
    asks(LIST, (call) => (call.search.has('take') ? undefined : withQuery(call, { take: 10 }))),
  ),
  row(
    'take-default-19',
    'take int32 default 20 (section 4)',
    LIST,
    asks(LIST, (call) => (call.search.has('take') ? undefined : withQuery(call, { take: 19 }))),
  ),
  row(
    'take-default-50',
    'take int32 default 20 (section 4)',
    LIST,
    asks(LIST, (call) => (call.search.has('take') ? undefined : withQuery(call, { take: 50 }))),
  ),
  row(
    'page-default-1',
    'page int32 default 0 (section 4)',
    LIST,
    asks(LIST, (call) => (call.search.has('page') ? undefined : withQuery(call, { page: 1 }))),
  ),
  row(
    'order-asc-default-false',
    'orderAsc boolean default true (section 8)',
    LIST,
    asks(LIST, (call) =>
      call.search.has('orderBy') && !call.search.has('orderAsc') ? withQuery(call, { orderAsc: 'false' }) : undefined,
    ),
  ),
];

const WINDOWS: readonly Mutant[] = [
  row(
    'page-one-based',
    'page: zero-based page index (section 8)',
    LIST,
    asks(LIST, (call) => withQuery(call, { page: Math.max(0, number(call, 'page', 0) - 1) })),
  ),
  row(
    'page-ignored',
    'page: zero-based page index (section 8)',
    LIST,
    asks(LIST, (call) => withQuery(call, { page: 0 })),
  ),
  row(
    'take-ignored',
    'take: items per page (section 8)',
    LIST,
    asks(LIST, (call) => withQuery(call, { take: 20 })),
  ),
  row(
    'take-one-more',
    'take: items per page (section 8)',
    LIST,
    window((page, take) => [page * take, take + 1], paged),
  ),
  row(
    'take-one-less',
    'take: items per page (section 8)',
    LIST,
    window((page, take) => [page * take, Math.max(1, take - 1)], paged),
  ),
  row(
    'item-lost-at-border',
    'pages of take items follow each other (section 8)',
    LIST,
    window((page, take) => [page === 0 ? 0 : page * take + 1, take], paged),
  ),
  row(
    'item-twice-at-border',
    'pages of take items follow each other (section 8)',
    LIST,
    window((page, take) => [page * take - (page > 0 ? 1 : 0), take], paged),
  ),
  row(
    'page-is-offset',
    'page: zero-based page index, not an item index (section 8)',
    LIST,
    window((page, take) => [page, take], paged),
  ),
  row(
    'page-counts-by-20',
    'page index counts pages of take items (section 8)',
    LIST,
    window((page, take) => [page * 20, take], paged),
  ),
  row(
    'last-page-dropped-when-partial',
    'pages of take items hold all items (section 8)',
    LIST,
    relist({ op: LIST, when: (call) => number(call, 'page', 0) > 0 }, (list, call) =>
      list.length < number(call, 'take', 20) ? [] : list,
    ),
  ),
  row(
    'item-twice-in-page',
    'the list holds each policy once (section 4)',
    LIST,
    relist(LIST, (list) => (list.length > 1 ? [...list.slice(0, -1), list[0]] : list)),
  ),
];

const ENDS: readonly Mutant[] = [
  row(
    'past-end-repeats-first',
    'page: zero-based page index (section 8)',
    LIST,
    at({ op: LIST, when: (call) => number(call, 'page', 0) > 0 }, async (call, next) => {
      const reply = await next();
      return succeeded(reply) && items(parsed(reply)).length === 0 ? next(withQuery(call, { page: 0 })) : reply;
    }),
  ),
  row(
    'past-end-404',
    'GET answers 200 with an array (section 4)',
    LIST,
    pastTheEnd(() => problem(404)),
  ),
  row(
    'past-end-500',
    '500 is an unexpected server error (section 7)',
    LIST,
    pastTheEnd(() => problem(500)),
  ),
  row(
    'past-end-null',
    '200, array of AccessControlPolicyModel (section 4)',
    LIST,
    pastTheEnd(() => text('null', 'application/json')),
  ),
  row(
    'past-end-object',
    '200, array of AccessControlPolicyModel (section 4)',
    LIST,
    pastTheEnd(() => json({})),
  ),
  row(
    'past-end-no-body',
    '200, array of AccessControlPolicyModel (section 4)',
    LIST,
    pastTheEnd(() => empty()),
  ),
  row(
    'negative-take-500',
    '500 is an unexpected server error (section 7)',
    LIST,
    answers({ op: LIST, when: (call) => number(call, 'take', 1) < 0 }, () => problem(500)),
  ),
  row(
    'zero-take-500',
    '500 is an unexpected server error (section 7)',
    LIST,
    answers({ op: LIST, when: (call) => number(call, 'take', 1) === 0 }, () => problem(500)),
  ),
  row(
    'negative-page-500',
    '500 is an unexpected server error (section 7)',
    LIST,
    answers({ op: LIST, when: (call) => number(call, 'page', 0) < 0 }, () => problem(500)),
  ),
  row(
    'max-int-page-500',
    '500 is an unexpected server error (section 7)',
    LIST,
    answers({ op: LIST, when: (call) => number(call, 'page', 0) >= 2_147_483_647 }, () => problem(500)),
  ),
  row(
    'max-int-take-500',
    '500 is an unexpected server error (section 7)',
    LIST,
    answers({ op: LIST, when: (call) => number(call, 'take', 0) >= 2_147_483_647 }, () => problem(500)),
  ),
  row(
    'word-for-take-500',
    '500 is an unexpected server error (section 7)',
    LIST,
    answers({ op: LIST, when: (call) => /^[a-z]+$/i.test(call.search.get('take') ?? '') }, () => problem(500)),
  ),
  row(
    'word-for-filter-active-500',
    '500 is an unexpected server error (section 7)',
    LIST,
    answers({ op: LIST, when: (call) => !/^(?:true|false)?$/i.test(call.search.get('filterActive') ?? '') }, () =>
      problem(500),
    ),
  ),
  row(
    'unknown-order-by-500',
    '500 is an unexpected server error (section 7)',
    LIST,
    answers(
      {
        op: LIST,
        when: (call) =>
          call.search.has('orderBy') &&
          !/^(?:name|id|order|isActive|createdAt|createdBy|modifiedAt|modifiedBy|description|organizationId)$/i.test(
            call.search.get('orderBy') ?? '',
          ),
      },
      () => problem(500),
    ),
  ),
];

/** True for list requests that order. */
export function ordered(call: Call): boolean {
  return hit(call, LIST) && call.search.has('orderBy');
}

export const PAGING_POLICIES: readonly Mutant[] = [...DEFAULTS, ...WINDOWS, ...ENDS];
