import { hit, number, withQuery } from '../proxy/call.ts';
import type { Where } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { items, withItems } from '../proxy/json.ts';
import { parsed, problem, succeeded, withJson } from '../proxy/reply.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import { isList, pagingParameters, collectionAt, seenThrough } from '../surface.ts';
import type { PagingParameters } from '../surface.ts';
import { byFull, onEach } from './operator.ts';
import type { Operator } from './operator.ts';
import { isDeep } from './resources.ts';

const PAGING = 'page and size select a page of the collection (sections 4 and 8)';
const DEFAULTS = 'the documented defaults apply to paging parameters that are not given (section 8)';
const LISTED = 'GET answers the items of the collection (section 4)';

/** A variant for each paged list. */
const onPages = (make: (where: Where, paging: PagingParameters) => Make) =>
  onEach(
    (operation) => pagingParameters(operation) !== undefined,
    (where, operation) => {
      const paging = pagingParameters(operation);
      if (paging === undefined) throw new Error(`${operation.id} has no paging`);
      return make(byFull(where), paging);
    },
  );

const pageOf = (call: Call, { page, base }: PagingParameters): number => number(call, page.name, base) - base;
const sizeOf = (call: Call, { size, defaultSize }: PagingParameters): number => number(call, size.name, defaultSize);

/** Changes the response to a page past the end. */
const pastEnd =
  (
    where: Where,
    paging: PagingParameters,
    reply: (call: Call, next: (changes: object) => Promise<Reply>) => Promise<Reply> | Reply,
  ): Make =>
  () =>
  async (call, next) => {
    const plain = await next();
    const isPast =
      hit(call, where) && succeeded(plain) && pageOf(call, paging) > 0 && items(parsed(plain)).length === 0;
    return isPast ? reply(call, next) : plain;
  };

export const LIST_OPERATORS = {
  'page-size-default': {
    title: 'The default page size is half of the documented one.',
    breaks: DEFAULTS,
    checks: ['paging-defaults'],
    perForm: true,
    variants: onPages((where, { size, defaultSize }) =>
      at(where).requests((call) =>
        call.search.has(size.name) ? undefined : withQuery(call, { [size.name]: Math.ceil(defaultSize / 2) }),
      ),
    ),
  },
  'page-default': {
    title: 'The second page is the default page.',
    breaks: DEFAULTS,
    checks: ['paging-defaults', 'paging-base'],
    variants: onPages((where, { page, base }) =>
      at(where).requests((call) =>
        call.search.has(page.name) ? undefined : withQuery(call, { [page.name]: base + 1 }),
      ),
    ),
  },
  'page-base': {
    title: 'The number of the first page is not the documented one.',
    breaks: 'page is zero-based, pageNumber one-based (section 8)',
    checks: ['paging-base', 'paging-partition'],
    perForm: true,
    variants: onPages((where, { page, base }) =>
      at(where).requests((call) =>
        call.search.has(page.name)
          ? withQuery(call, { [page.name]: Math.max(base, number(call, page.name, base) + (base === 0 ? -1 : 1)) })
          : undefined,
      ),
    ),
  },
  'page-ignored': {
    title: 'The page parameter is ignored.',
    breaks: PAGING,
    checks: ['paging-partition', 'paging-past-end', 'paging-base'],
    perForm: true,
    variants: onPages((where, { page }) => at(where).requests((call) => withQuery(call, { [page.name]: undefined }))),
  },
  'page-size-ignored': {
    title: 'The page size parameter is ignored.',
    breaks: PAGING,
    checks: ['paging-partition', 'paging-base'],
    variants: onPages((where, { size }) => at(where).requests((call) => withQuery(call, { [size.name]: undefined }))),
  },
  'page-size-plus-one': {
    title: 'A page has one item more than requested.',
    breaks: PAGING,
    checks: ['paging-partition', 'paging-defaults', 'paging-base'],
    variants: onPages((where, paging) =>
      at(where).requests((call) =>
        call.search.has(paging.size.name)
          ? withQuery(call, { [paging.size.name]: sizeOf(call, paging) + 1 })
          : undefined,
      ),
    ),
  },
  'pages-overlap': {
    title: 'A page repeats the last item of the page before.',
    breaks: PAGING,
    checks: ['paging-partition'],
    variants: onPages((where, paging) => () => async (call, next) => {
      const reply = await next();
      const page = pageOf(call, paging);
      if (!hit(call, where) || !succeeded(reply) || page < 1) return reply;
      const before = items(parsed(await next(withQuery(call, { [paging.page.name]: page - 1 + paging.base }))));
      const own = items(parsed(reply));
      return own.length === 0
        ? reply
        : withJson(reply, withItems(parsed(reply), [before.at(-1), ...own.slice(0, sizeOf(call, paging) - 1)]));
    }),
  },
  'pages-skip': {
    title: 'The first item of every later page is lost.',
    breaks: PAGING,
    checks: ['paging-partition'],
    perForm: true,
    variants: onPages((where, paging) =>
      at(where).relists((list, call) => (pageOf(call, paging) > 0 ? list.slice(1) : list)),
    ),
  },
  'last-item-lost': {
    title: 'The last item of the collection is on no page.',
    breaks: PAGING,
    checks: ['paging-partition', 'filters', 'created-reads-back'],
    variants: onPages((where, paging) =>
      at(where).relists((list, call) => (list.length < sizeOf(call, paging) ? list.slice(0, -1) : list)),
    ),
  },
  'past-end-repeats': {
    title: 'A page past the end repeats the first page.',
    breaks: 'a page holds the items of that page (section 8)',
    checks: ['paging-past-end'],
    variants: onPages((where, paging) =>
      pastEnd(where, paging, (call, next) => next(withQuery(call, { [paging.page.name]: paging.base }))),
    ),
  },
  'past-end-refused': {
    title: 'A page past the end is answered with 404.',
    breaks: PAGING,
    checks: ['paging-past-end', 'valid-request-served'],
    perForm: true,
    variants: onPages((where, paging) => pastEnd(where, paging, () => problem(404))),
  },
  'list-empty': {
    title: 'A list is empty.',
    breaks: LISTED,
    checks: [
      'created-reads-back',
      'filters',
      'processing-order',
      'job-runs',
      'query-styles',
      'paging-defaults',
      'paging-partition',
    ],
    variants: (surface) =>
      surface.operations
        .filter((operation) => isList(surface.contract, operation) && !isDeep(operation))
        .filter((operation) => collectionAt(surface, operation) !== undefined)
        .map((operation) => ({
          operation,
          // The document does not state when the parts of an item appear.
          grade: surface.resources.some(({ list }) => list === operation) ? 'documented' : 'published',
          seenIn: seenThrough(surface, operation),
          make: (where: Where) => at(byFull(where)).relists(() => []),
        })),
  },
  'list-repeats-first': {
    title: 'A list holds its first item twice.',
    breaks: LISTED,
    checks: ['paging-partition', 'processing-order', 'filters', 'created-reads-back', 'job-runs', 'query-styles'],
    variants: onEach(
      (operation, { resources, orderings }) =>
        resources.some(({ list }) => list === operation) || orderings.some(({ read }) => read === operation),
      (where) => at(byFull(where)).relists((list) => [...list.slice(0, 1), ...list]),
    ),
  },
} as const satisfies Record<string, Operator>;
