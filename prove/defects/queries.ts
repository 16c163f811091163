import type { Defect } from '../defect.ts';
import { number, withQuery } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { at } from '../proxy/handler.ts';
import { asObject, items, withItems } from '../proxy/json.ts';
import { parsed, problem, succeeded, withJson } from '../proxy/reply.ts';
import { FORMS, METADATA, misreads, PAGED, defect, SERVED, SORTED, warningDefect, where } from './kit.ts';
import type { Asked } from './kit.ts';
import type { Call, Make } from '../proxy/message.ts';
import { AUDIT, LIST, NUMBERED, RESULTS, RUNS } from './operations.ts';

const AGENT_LIST = 'GET /aiagent';
const SELECTS = 'searchName and filterActive select (sections 3 and 4)';

const value = (search: URLSearchParams, name: string): string => search.get(name) ?? '';
const pairs = (search: URLSearchParams): readonly string[] =>
  [...search.keys()].filter((key) => key.startsWith('metadataFilter['));

/** Applies a filter by a member to each page, and not to the list. */
const filtersEachPage = (list: OperationId, filter: string, member: string): Make =>
  at(where([list], (_, call) => call.search.has(filter))).handles(async (call, next) => {
    const reply = await next(withQuery(call, { [filter]: undefined }));
    const isIn = (item: unknown): boolean => asObject(item)[member] === call.search.get(filter);
    return succeeded(reply) ? withJson(reply, withItems(parsed(reply), items(parsed(reply)).filter(isIn))) : reply;
  });

/** Answers 500 to a query, valid or not. */
const failsOnQuery = (name: string, ops: readonly OperationId[], asked: Asked): Defect =>
  defect(name, SERVED, ops, ['no-server-error']).by(
    at(where(ops, (_, call) => asked(call.search, call))).replies((reply) =>
      reply.status < 500 && reply.status !== 404 ? problem(500) : reply,
    ),
  );

/** Finds no policies. */
const misses = (name: string, breaks: string, asked: Asked): Defect =>
  defect(name, breaks, [LIST], ['filters', 'paging-partition']).by(
    at(where([LIST], (_, call) => asked(call.search, call))).relists(() => []),
  );

const isLater = (call: Call): boolean => number(call, 'page', 0) > 0;

export const QUERIES: readonly Defect[] = [
  defect('status-json-truncated', 'responses are JSON (section 9)', ['GET /status'], ['json-well-formed']).by(
    at('GET /status').successes((reply) => ({ ...reply, body: reply.body.subarray(0, -1) })),
  ),
  misreads(
    'page-size-ignored-with-filter-and-order',
    PAGED,
    [LIST],
    (search) => value(search, 'filterActive') !== '' && value(search, 'orderBy') !== '',
    { take: undefined },
  ),
  misreads(
    'search-ignored-with-creator',
    SELECTS,
    [LIST],
    (search) => value(search, 'searchName') !== '' && value(search, 'filterCreator') !== '',
    { searchName: undefined },
  ),
  misreads(
    'order-ignored-with-creator',
    'orderBy and orderAsc order the list (section 8)',
    [LIST],
    (search) => value(search, 'orderBy') !== '' && value(search, 'filterCreator') !== '',
    { orderBy: undefined, orderAsc: undefined },
  ),
  defect(
    'agent-list-of-full-tens-loses-last',
    'what is posted is listed (section 4)',
    [AGENT_LIST],
    ['created-reads-back'],
  ).by(at(AGENT_LIST).relists((list) => (list.length > 0 && list.length % 10 === 0 ? list.slice(0, -1) : list))),
  misreads('page-past-1000-repeats-first', PAGED, [LIST], (_, call) => number(call, 'page', 0) > 1000, { page: 0 }),
  defect('take-10-by-default-with-a-filter', PAGED, [LIST], ['paging-defaults']).by(
    at(where([LIST], (_, call) => call.search.has('filterActive') && !call.search.has('take'))).requests((call) =>
      withQuery(call, { take: 10 }),
    ),
  ),
  defect('result-state-filtered-on-each-page', PAGED, [RESULTS], ['filters']).by(
    filtersEachPage(RESULTS, 'state', 'state'),
  ),
  defect('creators-filtered-on-each-page', PAGED, [LIST], ['filters', 'paging-partition']).by(
    filtersEachPage(LIST, 'filterCreator', 'createdBy'),
  ),
  // A warning: what is answered for an unknown type is inferred.
  warningDefect('audit-of-any-type', 'the audit log of an object and its type (section 4)', [AUDIT], ['audit-log']).by(
    at(where([AUDIT])).handles(async (call, next) => {
      const reply = await next();
      if (!succeeded(reply) || items(parsed(reply)).length > 0) return reply;
      const [, objectId = ''] = /auditlog\/([^/]+)\//i.exec(call.path) ?? [];
      const path = call.path.replace(/[^/]+\/[^/]+$/, 'getByObjectTypeIds');
      return next({ path, query: `objectIds=${objectId}&take=100` });
    }),
  ),
  defect(
    'skills-as-text-json-lack-the-last',
    'JSON responses are offered as text/json (section 4)',
    ['GET /aijobskills'],
    ['response-media-types'],
  ).by(
    at(where(['GET /aijobskills'], (_, call) => call.headers['accept'] === 'text/json')).relists((all) =>
      all.slice(0, -1),
    ),
  ),
  misses('search-plus-decoded-twice', SELECTS, (search) => value(search, 'searchName').includes('+')),
  defect('search-case-sensitive-in-v1', FORMS, [LIST], ['form-equivalence', 'filters']).by(
    at({ ...where([LIST], (_, call) => /[a-z]/i.test(value(call.search, 'searchName'))), form: '/api/v1' }).relists(
      (all, call) => all.filter((item) => String(asObject(item)['name']).includes(value(call.search, 'searchName'))),
    ),
  ),
  defect('descending-refused', 'orderAsc false is descending (section 8)', [LIST], ['ordering']).by(
    at(where([LIST], (_, { search }) => value(search, 'orderAsc') === 'false')).replies(() => problem(400)),
  ),
  misreads(
    'search-makes-order-ascending',
    'orderAsc false is descending (section 8)',
    [LIST],
    (search) => search.has('searchName') && value(search, 'orderAsc') === 'false',
    { orderAsc: 'true' },
  ),
  misreads(
    'descending-ignores-filter-for-inactive',
    SELECTS,
    [LIST],
    (search, { path }) =>
      value(search, 'filterActive') === 'false' && value(search, 'orderAsc') === 'false' && path.startsWith('/api/v1'),
    { filterActive: undefined },
  ),
  defect('numbers-sorted-as-texts', SORTED, [LIST], ['ordering']).by(
    at(where([LIST], (_, { search }) => value(search, 'orderBy').toLowerCase() === 'order')).relists(
      (all, { search }) => {
        const sorted = all.toSorted((a, b) => (String(asObject(a)['order']) < String(asObject(b)['order']) ? -1 : 1));
        return value(search, 'orderAsc') === 'false' ? sorted.toReversed() : sorted;
      },
    ),
  ),
  defect('metadata-keys-of-digits-ignored', METADATA, [AGENT_LIST], ['filters', 'query-styles']).by(
    at(AGENT_LIST).requests(({ search }) => ({
      query: new URLSearchParams([...search].filter(([key]) => !/\[\d+\]/.test(key))).toString(),
    })),
  ),
  misses('take-one-empty', PAGED, (search) => search.get('take') === '1'),
  misreads(
    'list-offset-overflows',
    PAGED,
    [LIST],
    (_, call) =>
      isLater(call) &&
      number(call, 'page', 0) < 2 ** 31 &&
      number(call, 'page', 0) * number(call, 'take', 20) >= 2 ** 31,
    { page: 0 },
  ),
  failsOnQuery('repeated-parameter-500', [LIST], (search) =>
    ['page', 'take', 'filterActive', 'orderAsc', 'searchName'].some((name) => search.getAll(name).length > 1),
  ),
  defect(
    'order-by-drops-null',
    'orderBy sorts, and selects nothing (section 8)',
    [LIST],
    ['ordering', 'paging-partition', 'filters'],
  ).by(
    at(where([LIST], (_, call) => value(call.search, 'orderBy').toLowerCase() === 'description')).relists((all) =>
      all.filter((item) => asObject(item)['description'] !== null),
    ),
  ),
  misreads(
    'parts-later-pages-repeat',
    PAGED,
    NUMBERED,
    (_, call) => number(call, 'pageNumber', 1) > 2 && number(call, 'pageSize', 10) < 5,
    { pageNumber: 2 },
  ),
  misreads(
    'runs-type-forgotten-in-descending-order',
    'runType selects runs of a type (section 4)',
    [RUNS],
    (search) => value(search, 'sortDirection') === '1',
    { runType: undefined },
  ),
  misreads('runs-direction-forgotten-with-a-type', PAGED, [RUNS], (search) => search.has('runType'), {
    sortDirection: undefined,
  }),
  failsOnQuery(
    'metadata-filter-key-twice-500',
    ['GET /aiagent', 'GET /aijob'],
    (search) => new Set(pairs(search)).size < pairs(search).length,
  ),
  defect('sorted-list-repeats-its-first', PAGED, [LIST], ['paging-partition']).by(
    at(where([LIST], (_, call) => value(call.search, 'orderBy') === 'name')).relists((all) => [
      ...all.slice(0, 1),
      ...all,
    ]),
  ),
  defect('ties-reversed-on-odd-pages', PAGED, [LIST], ['paging-partition']).by(
    at(where([LIST], (_, call) => value(call.search, 'orderBy').toLowerCase() === 'isactive')).handles(
      async (call, next) => {
        const [page, take] = [number(call, 'page', 0), number(call, 'take', 20)];
        const reply = await next(withQuery(call, { page: 0, take: 1000 }));
        const key = (item: unknown): number => Number(asObject(item)['isActive']);
        const direction = value(call.search, 'orderAsc') === 'false' ? -1 : 1;
        const all = succeeded(reply) ? items(parsed(reply)) : [];
        const turned = all.toReversed().toSorted((a, b) => direction * (key(a) - key(b)));
        const shown = (page % 2 === 0 ? all : turned).slice(page * take, (page + 1) * take);
        return succeeded(reply) ? withJson(reply, withItems(parsed(reply), shown)) : reply;
      },
    ),
  ),
  failsOnQuery('order-by-an-object-500', [LIST], (search) => value(search, 'orderBy') === 'condition'),
];
