import type { Operation, Parameter } from '../../spec/index.ts';
import {
  asList,
  asObject,
  empty,
  hit,
  items,
  number,
  parsed,
  problem,
  relist,
  requests,
  rewrite,
  succeeded,
  withItems,
  withJson,
  withQuery,
} from '../proxy/edit.ts';
import type { Where } from '../proxy/edit.ts';
import type { Call, Make, Reply } from '../proxy/message.ts';
import { filtersOf, gradeOf, isList, pagingOf, sortingOf, typesOf } from '../surface.ts';
import type { Paging, Surface } from '../surface.ts';
import { byFull, onEach } from './operator.ts';
import type { Operator, Variant } from './operator.ts';

const PAGING = 'page and size select a page of the collection (sections 4 and 8)';
const DEFAULTS = 'the documented defaults apply where a paging parameter is left out (section 8)';
const FILTER = 'a filter selects what it says (section 4)';
const ORDER = 'orderBy: field to sort by; orderAsc and sortDirection: direction (sections 4 and 8)';
const LISTED = 'GET answers the items of the collection (section 4)';

/** A mutation of the pages of a list. */
const onPages = (make: (where: Where, paging: Paging) => Make) =>
  onEach(
    (operation, { contract }) => pagingOf(contract, operation) !== undefined,
    (where, operation, { contract }) => {
      const paging = pagingOf(contract, operation);
      if (paging === undefined) throw new Error(`${operation.id} has no paging`);
      return make(byFull(where), paging);
    },
  );

const pageOf = (call: Call, { page, base }: Paging): number => number(call, page.name, base) - base;
const sizeOf = (call: Call, { size, defaultSize }: Paging): number => number(call, size.name, defaultSize);

/** Another page where it is past the end. */
const pastEnd =
  (
    where: Where,
    paging: Paging,
    reply: (call: Call, next: (changes: object) => Promise<Reply>) => Promise<Reply> | Reply,
  ): Make =>
  () =>
  async (call, next) => {
    const plain = await next();
    const isPast =
      hit(call, where) && succeeded(plain) && pageOf(call, paging) > 0 && items(parsed(plain)).length === 0;
    return isPast ? reply(call, next) : plain;
  };

/** A variant for each parameter of a list that fits. */
function onParameters(
  parameters: (surface: Surface, operation: Operation) => readonly Parameter[],
  make: (where: Where, parameter: Parameter) => Make,
  needsList = true,
) {
  return (surface: Surface): readonly Variant[] =>
    surface.operations
      .filter(
        (operation) =>
          operation.method === 'GET' &&
          (!needsList || isList(surface.contract, operation) || filtersOf(surface.contract, operation).length > 0),
      )
      .flatMap((operation) =>
        parameters(surface, operation).map((parameter) => ({
          operation,
          name: parameter.name,
          grade: gradeOf(parameter, surface.contract),
          make: (where: Where) =>
            make(
              byFull(where, ({ search }) => mentions(search, parameter)),
              parameter,
            ),
        })),
      );
}

const mentions = (search: URLSearchParams, { name }: Parameter): boolean =>
  [...search.keys()].some((key) => key === name || key.startsWith(`${name}[`));

const filters = ({ contract }: Surface, operation: Operation): readonly Parameter[] => filtersOf(contract, operation);
const ofType =
  (type: string) =>
  (surface: Surface, operation: Operation): readonly Parameter[] =>
    filters(surface, operation).filter(({ schema }) => typesOf(schema.schema).includes(type));

/** The query without a parameter, whatever its style. */
function without({ search }: Call, { name }: Parameter): { query: string } {
  const kept = [...search].filter(([key]) => key !== name && !key.startsWith(`${name}[`));
  return { query: new URLSearchParams(kept).toString() };
}

/** The query with the first value of a parameter only. */
function firstValue({ search }: Call, { name }: Parameter): { query: string } {
  const isOwn = (key: string): boolean => key === name || key.startsWith(`${name}[`);
  const first = [...search.keys()].findIndex(isOwn);
  return {
    query: new URLSearchParams([...search].filter(([key], index) => !isOwn(key) || index === first)).toString(),
  };
}

const isDirection = ({ name, schema }: Parameter): boolean =>
  /asc|dir/i.test(name) || typesOf(schema.schema).includes('boolean');
const keys = (_: Surface, operation: Operation): readonly Parameter[] =>
  sortingOf(operation).filter((each) => !isDirection(each));
const directions = (_: Surface, operation: Operation): readonly Parameter[] => sortingOf(operation).filter(isDirection);
const flipped: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  '0': '1',
  '1': '0',
  Ascending: 'Descending',
  Descending: 'Ascending',
};

/** Pages, filters and order of lists. */
export const LIST_OPERATORS = {
  'page-size-default': {
    title: 'The default page size is half of the documented one.',
    breaks: DEFAULTS,
    checks: ['paging-defaults'],
    perForm: true,
    variants: onPages((where, { size, defaultSize }) =>
      requests(where, (call) =>
        call.search.has(size.name) ? undefined : withQuery(call, { [size.name]: Math.ceil(defaultSize / 2) }),
      ),
    ),
  },
  'page-default': {
    title: 'The second page comes where no page is asked for.',
    breaks: DEFAULTS,
    checks: ['paging-defaults', 'paging-base'],
    variants: onPages((where, { page, base }) =>
      requests(where, (call) => (call.search.has(page.name) ? undefined : withQuery(call, { [page.name]: base + 1 }))),
    ),
  },
  'page-base': {
    title: 'Pages are counted from another number than documented.',
    breaks: 'page is zero-based, pageNumber one-based (section 8)',
    checks: ['paging-base', 'paging-partition'],
    perForm: true,
    variants: onPages((where, { page, base }) =>
      requests(where, (call) =>
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
    variants: onPages((where, { page }) => requests(where, (call) => withQuery(call, { [page.name]: undefined }))),
  },
  'page-size-ignored': {
    title: 'The page size parameter is ignored.',
    breaks: PAGING,
    checks: ['paging-partition', 'paging-base'],
    variants: onPages((where, { size }) => requests(where, (call) => withQuery(call, { [size.name]: undefined }))),
  },
  'page-size-plus-one': {
    title: 'A page holds one item more than asked for.',
    breaks: PAGING,
    checks: ['paging-partition', 'paging-defaults', 'paging-base'],
    variants: onPages((where, paging) =>
      requests(where, (call) =>
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
      relist(where, (list, call) => (pageOf(call, paging) > 0 ? list.slice(1) : list)),
    ),
  },
  'last-item-lost': {
    title: 'The last item of the collection is on no page.',
    breaks: PAGING,
    checks: ['paging-partition', 'filters', 'created-reads-back'],
    variants: onPages((where, paging) =>
      relist(where, (list, call) => (list.length < sizeOf(call, paging) ? list.slice(0, -1) : list)),
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
  'past-end-without-body': {
    title: 'A page past the end is answered without a body.',
    breaks: PAGING,
    checks: ['paging-past-end', 'body-fits-schema'],
    variants: onPages((where, paging) => pastEnd(where, paging, () => empty())),
  },
  'order-key-ignored': {
    title: 'The field to sort by is ignored.',
    breaks: ORDER,
    checks: ['ordering'],
    perForm: true,
    variants: onParameters(keys, (where, parameter) => requests(where, (call) => without(call, parameter))),
  },
  'order-per-page': {
    title: 'Later pages are not sorted.',
    breaks: ORDER,
    checks: ['ordering', 'paging-partition'],
    variants: onParameters(keys, (where, parameter) =>
      requests(
        { ...where, when: (call) => where.when?.(call) === true && /page[^=&]*=[1-9]/i.test(call.query) },
        (call) => without(call, parameter),
      ),
    ),
  },
  'direction-ignored': {
    title: 'The sort direction is ignored.',
    breaks: ORDER,
    checks: ['ordering'],
    perForm: true,
    variants: onParameters(directions, (where, parameter) => requests(where, (call) => without(call, parameter))),
  },
  'direction-inverted': {
    title: 'The sort direction is inverted.',
    breaks: ORDER,
    checks: ['ordering'],
    variants: onParameters(directions, (where, { name }) =>
      requests(where, (call) =>
        withQuery(call, { [name]: flipped[call.search.get(name) ?? ''] ?? call.search.get(name) ?? undefined }),
      ),
    ),
  },
  'filter-ignored': {
    title: 'A filter is ignored.',
    breaks: FILTER,
    checks: ['filters', 'query-styles'],
    perForm: true,
    variants: onParameters(filters, (where, parameter) => requests(where, (call) => without(call, parameter))),
  },
  'filter-inverted': {
    title: 'A boolean filter selects the opposite.',
    breaks: FILTER,
    checks: ['filters', 'activation'],
    perForm: true,
    variants: onParameters(ofType('boolean'), (where, { name }) =>
      requests(where, (call) => withQuery(call, { [name]: flipped[call.search.get(name) ?? ''] })),
    ),
  },
  'filter-false-ignored': {
    title: 'A boolean filter selects everything where it is false.',
    breaks: FILTER,
    checks: ['filters', 'activation'],
    variants: onParameters(ofType('boolean'), (where, parameter) =>
      requests(where, (call) => (call.search.get(parameter.name) === 'false' ? without(call, parameter) : undefined)),
    ),
  },
  'filter-selects-nothing': {
    title: 'A filter selects nothing.',
    breaks: FILTER,
    checks: ['filters', 'query-styles'],
    variants: onParameters(filters, (where) => relist(where, () => [])),
  },
  'filter-loses-one': {
    title: 'A filter loses its last match.',
    breaks: FILTER,
    checks: ['filters', 'query-styles', 'created-reads-back', 'paging-partition'],
    variants: onParameters(filters, (where) => relist(where, (list) => list.slice(0, -1))),
  },
  'filter-beside-ignored': {
    title: 'A filter is ignored beside another parameter that selects.',
    breaks: FILTER,
    checks: ['filters'],
    variants: (surface) =>
      onParameters(filters, (where, parameter) =>
        requests(
          { ...where, when: (call) => where.when?.(call) === true && namesOther(surface, call, parameter) },
          (call) => without(call, parameter),
        ),
      )(surface).filter(({ operation }) => filtersOf(surface.contract, operation).length > 1),
  },
  'filter-on-first-page-only': {
    title: 'A filter is forgotten on later pages.',
    breaks: FILTER,
    checks: ['filters', 'paging-partition'],
    variants: (surface) =>
      onParameters(filters, (where, parameter) =>
        requests(
          { ...where, when: (call) => where.when?.(call) === true && /(?:^|&)page[^=]*=[1-9]/i.test(call.query) },
          (call) => without(call, parameter),
        ),
      )(surface).filter(({ operation }) => pagingOf(surface.contract, operation) !== undefined),
  },
  'filter-first-value-only': {
    title: 'Only the first value of a parameter with several counts.',
    breaks: 'deepObject style; array in the query (section 4)',
    checks: ['query-styles', 'filters'],
    variants: (surface) => [
      ...onParameters(ofType('array'), (where, parameter) => requests(where, (call) => firstValue(call, parameter)))(
        surface,
      ),
      ...onParameters(ofType('object'), (where, parameter) => requests(where, (call) => firstValue(call, parameter)))(
        surface,
      ),
    ],
  },
  'offset-rounded': {
    title: 'A 64-bit offset is rounded to a double.',
    breaks: 'offset int64 (section 4)',
    checks: ['int64-offset'],
    variants: onInt64((value) => `${BigInt(Number(value))}`),
  },
  'offset-int32': {
    title: 'An offset past 32 bits is refused.',
    breaks: 'offset int64 (section 4)',
    checks: ['int64-offset', 'valid-request-served'],
    variants: onInt64((value) => (BigInt(value) > 0x7fffffffn ? 'too-big' : value)),
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
    variants: onEach(
      (operation, { contract, resources }) =>
        isList(contract, operation) &&
        resources.some(({ operations, list }) => list === operation || operations.includes(operation)),
      (where) => relist(byFull(where), () => []),
    ),
  },
  'list-repeats-first': {
    title: 'A list holds its first item twice.',
    breaks: LISTED,
    checks: ['paging-partition', 'processing-order', 'filters', 'created-reads-back', 'job-runs', 'query-styles'],
    variants: onEach(
      (operation, { resources, orderings }) =>
        resources.some(({ list }) => list === operation) || orderings.some(({ read }) => read === operation),
      (where) =>
        rewrite(byFull(where), (value) =>
          withItems(
            value,
            asList(items(value)).flatMap((item, index) => (index === 0 ? [item, item] : [item])),
          ),
        ),
    ),
  },
} as const satisfies Record<string, Operator>;

function namesOther(surface: Surface, { search, route }: Call, own: Parameter): boolean {
  if (route === undefined) return false;
  return filtersOf(surface.contract, route.operation).some((each) => each.name !== own.name && mentions(search, each));
}

function onInt64(change: (value: string) => string) {
  return (surface: Surface): readonly Variant[] =>
    surface.operations.flatMap((operation) =>
      operation.parameters
        .filter(({ in: place, schema }) => place === 'query' && asObject(schema.schema)['format'] === 'int64')
        .map(({ name }) => ({
          operation,
          name,
          make: (where: Where) =>
            requests(
              byFull(where, ({ search }) => /^-?\d+$/.test(search.get(name) ?? '')),
              (call) => withQuery(call, { [name]: change(call.search.get(name) ?? '0') }),
            ),
        })),
    );
}
