import { answers, asks, asObject, at, number, problem, relist, withQuery } from '../kit.ts';
import type { Call, Mutant } from '../types.ts';
import { define, FIVE, POLICY, REFUSED, TWIN, where } from './fresh-kit.ts';

const LIST = `GET ${POLICY}`;
const RUNS = 'GET /aijob/{id}/runs';
const RESULTS = 'GET /aijob/{id}/results/{type}';
const CHATS = 'GET /aijob/{jobId}/runs/{runId}/chats';
const RUN_RESULTS = 'GET /aijob/{id}/runs/{runId}/results';
const STREAM = 'GET /aijob/{id}/chatstream';
const FILTERED = ['GET /aiagent', 'GET /aijob'];
const AUDIT = 'GET /auditLog/{objectId}/{objectTypeId}';
const NUMBERED = [RUNS, RESULTS, CHATS, RUN_RESULTS];
const PAGED = 'page and take, pageNumber and pageSize page the list (section 8)';

type Asked = (search: URLSearchParams, call: Call) => boolean;
type Ops = string | readonly string[];
const list = (ops: Ops): readonly string[] => (typeof ops === 'string' ? [ops] : ops);

/** Answers 500 to a good query, or to one that was to be refused. */
function breaks(mutant: string, ops: Ops, asked: Asked): Mutant {
  return define(
    mutant,
    `${FIVE}; ${REFUSED}`,
    ops,
    answers(
      where(list(ops), (_, call) => asked(call.search, call)),
      (reply) => (reply.status < 500 && reply.status !== 404 ? problem(500) : reply),
    ),
  );
}

/** Asks the service something else than what was asked. */
function misreads(
  mutant: string,
  why: string,
  ops: Ops,
  asked: Asked,
  changes: (call: Call) => Readonly<Record<string, string | number | undefined>>,
  form?: string,
): Mutant {
  return define(
    mutant,
    why,
    ops,
    asks(
      where(list(ops), (_, call) => asked(call.search, call), form),
      (call) => withQuery(call, changes(call)),
    ),
  );
}

/** Finds nothing. */
function misses(mutant: string, why: string, ops: Ops, asked: Asked): Mutant {
  return define(
    mutant,
    why,
    ops,
    relist(
      where(list(ops), (_, call) => asked(call.search, call)),
      () => [],
    ),
  );
}

const value = (search: URLSearchParams, name: string): string => search.get(name) ?? '';

const SEARCHES: readonly Mutant[] = [
  define(
    'search-underscore-is-any',
    'searchName selects by name (section 4)',
    LIST,
    asks(
      where([LIST], (_, call) => /^_+$/.test(value(call.search, 'searchName'))),
      (call) => withQuery(call, { searchName: undefined }),
    ),
  ),
  breaks('search-pattern-characters-500', LIST, (search) => /^[*+?(]|[([]$|\\$/.test(value(search, 'searchName'))),
  misses('search-plus-decoded-twice', 'searchName selects by name (section 4)', LIST, (search) =>
    value(search, 'searchName').includes('+'),
  ),
  misses('search-non-ascii-misses', 'searchName selects by name (section 4)', LIST, (search) =>
    /[^\0-\u007f]/.test(value(search, 'searchName')),
  ),
  define(
    'search-v1-case-sensitive',
    TWIN,
    LIST,
    relist(
      { ...where([LIST], (_, call) => /[a-z]/i.test(value(call.search, 'searchName'))), form: '/api/v1' },
      (all, call) => all.filter((item) => String(asObject(item)['name']).includes(value(call.search, 'searchName'))),
    ),
  ),
  misreads(
    'search-makes-order-ascending',
    'orderAsc false is descending order (sections 4 and 8)',
    LIST,
    (search) => search.has('searchName') && value(search, 'orderAsc') === 'false',
    () => ({ orderAsc: 'true' }),
  ),
];

const LISTS: readonly Mutant[] = [
  misreads(
    'list-inactive-and-ordered-shows-all',
    'filterActive filters the list (section 3)',
    LIST,
    (search) => value(search, 'filterActive') === 'false' && value(search, 'orderBy') !== '',
    () => ({ filterActive: undefined }),
  ),
  misreads(
    'list-descending-restarts-on-later-pages',
    'orderAsc false is descending order (sections 4 and 8)',
    LIST,
    (search, call) => value(search, 'orderAsc') === 'false' && number(call, 'page', 0) > 0,
    () => ({ orderAsc: 'true' }),
  ),
  misses('list-take-one-empty', PAGED, LIST, (search) => search.get('take') === '1'),
  define(
    'list-large-take-loses-last',
    PAGED,
    LIST,
    relist(
      where([LIST], (_, call) => number(call, 'take', 20) > 50),
      (all) => all.slice(0, -1),
    ),
  ),
  misreads(
    'list-offset-overflows',
    PAGED,
    LIST,
    (_, call) =>
      number(call, 'page', 0) > 0 &&
      number(call, 'page', 0) < 2 ** 31 &&
      number(call, 'page', 0) * number(call, 'take', 20) >= 2 ** 31,
    () => ({ page: 0 }),
  ),
  breaks('list-repeated-parameter-500', LIST, (search) =>
    ['page', 'take', 'filterActive', 'orderAsc', 'searchName'].some((name) => search.getAll(name).length > 1),
  ),
  define(
    'list-order-by-description-drops-null',
    'orderBy sorts; it selects nothing (section 8)',
    LIST,
    relist(
      where([LIST], (_, call) => value(call.search, 'orderBy').toLowerCase() === 'description'),
      (all) => all.filter((item) => asObject(item)['description'] !== null),
    ),
  ),
];

const PARTS: readonly Mutant[] = [
  misreads(
    'parts-later-pages-repeat',
    PAGED,
    NUMBERED,
    (_, call) => number(call, 'pageNumber', 1) > 2 && number(call, 'pageSize', 10) < 5,
    () => ({ pageNumber: 2 }),
  ),
  breaks('parts-page-size-zero-500', NUMBERED, (search) => /^0+$/.test(value(search, 'pageSize'))),
  misreads(
    'results-state-forgotten-on-later-pages',
    'results can be filtered by state (section 3)',
    RESULTS,
    (search, call) => value(search, 'state') !== '' && number(call, 'pageNumber', 1) > 1,
    () => ({ state: undefined }),
  ),
  define(
    'results-type-with-escapes-500',
    FIVE,
    RESULTS,
    at(
      where([RESULTS], (_, call) => (call.route?.params['type'] ?? '').includes('%')),
      async (_, next) => {
        const reply = await next();
        return reply.status < 500 ? problem(500) : reply;
      },
    ),
  ),
  breaks('stream-offset-beyond-int64-500', STREAM, (search) => /^\d{19,}$/.test(value(search, 'offset'))),
];

const pairs = (search: URLSearchParams): readonly (readonly [string, string])[] =>
  [...search].filter(([key]) => key.startsWith('metadataFilter['));

const FILTERS: readonly Mutant[] = [
  define(
    'metadata-filter-empty-value-ignored',
    'metadataFilter selects by string values (section 4)',
    FILTERED,
    asks(
      where(FILTERED, (_, call) => pairs(call.search).some(([, text]) => text === '')),
      (call) => ({
        query: new URLSearchParams(
          [...call.search].filter(([key, text]) => !key.startsWith('metadataFilter[') || text !== ''),
        ).toString(),
      }),
    ),
  ),
  breaks(
    'metadata-filter-same-key-twice-500',
    FILTERED,
    (search) => new Set(pairs(search).map(([key]) => key)).size < pairs(search).length,
  ),
];

const AUDIT_LOG: readonly Mutant[] = [
  define(
    'audit-second-page-of-small-take-repeats',
    PAGED,
    AUDIT,
    asks(
      where([AUDIT], (_, call) => number(call, 'page', 0) > 0 && number(call, 'take', 20) < 3),
      (call) => withQuery(call, { page: 0 }),
    ),
  ),
];

export const FRESH_QUERIES = [
  ...SEARCHES,
  ...LISTS,
  ...PARTS,
  ...FILTERS,
  ...AUDIT_LOG,
] as const satisfies readonly Mutant[];
