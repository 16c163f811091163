import { area } from '../define.ts';
import {
  answers,
  asObject,
  asks,
  at,
  empty,
  items,
  json,
  number,
  parsed,
  problem,
  relist,
  rewrite,
  succeeded,
  withHeader,
  withItems,
  withJson,
  withQuery,
} from '../kit.ts';
import type { Call, Make, Mutant } from '../types.ts';

const RUNS = 'GET /aijob/{id}/runs';
const RESULTS = 'GET /aijob/{id}/results/{type}';
const RUN_RESULTS = 'GET /aijob/{id}/runs/{runId}/results';
const CHATS = 'GET /aijob/{jobId}/runs/{runId}/chats';
const AUDIT = 'GET /auditLog/{objectId}/{objectTypeId}';
const COSTLY = ['reversible', 'costly'] as const;
const define = area('paging-jobs');
const row = (name: string, breaks: string, op: string, make: Make): Mutant => define(name, breaks, op, make, COSTLY);
const PAGES = 'page with pageNumber (default 1, one-based) and pageSize (default 10) (section 8)';
const WRAPPED = '200, PaginatedResponse (section 4)';

const missing = (op: string, name: string, value: string | number): Make =>
  asks(op, (call) => (call.search.has(name) ? undefined : withQuery(call, { [name]: value })));
const always = (op: string, name: string, value: string | number | undefined): Make =>
  asks(op, (call) => withQuery(call, { [name]: value }));

/** Zero-based pages: the first is 0, and 1 is the second. */
function zeroBased(op: string): Make {
  return asks(op, (call) =>
    call.search.has('pageNumber') ? withQuery(call, { pageNumber: number(call, 'pageNumber', 1) + 1 }) : undefined,
  );
}

function window(op: string, choose: (page: number, size: number) => readonly [from: number, count: number]): Make {
  return at(op, async (call, next) => {
    const plain = await next();
    const [from, count] = choose(number(call, 'pageNumber', 1), number(call, 'pageSize', 10));
    if (!succeeded(plain) || from < 0) return plain;
    const whole: unknown[] = [];
    for (let page = 1; page < 50; page += 1) {
      const part = items(parsed(await next(withQuery(call, { pageNumber: page, pageSize: 100 }))));
      whole.push(...part);
      if (part.length < 100) break;
    }
    return withJson(plain, withItems(parsed(plain), whole.slice(from, from + count)));
  });
}

const empties =
  (op: string, first: string): ((reply: Parameters<typeof answers>[1]) => Make) =>
  (reply) =>
    answers({ op, when: (call: Call) => number(call, first, 1) > 1 }, (answer, call) =>
      succeeded(answer) && items(parsed(answer)).length === 0 ? reply(answer, call) : answer,
    );

const DEFAULTS: readonly Mutant[] = [
  row('runs-page-size-default-20', PAGES, RUNS, missing(RUNS, 'pageSize', 20)),
  row('runs-page-size-default-5', PAGES, RUNS, missing(RUNS, 'pageSize', 5)),
  row('results-page-size-default-9', PAGES, RESULTS, missing(RESULTS, 'pageSize', 9)),
  row('chats-page-number-default-2', PAGES, CHATS, missing(CHATS, 'pageNumber', 2)),
  row('run-results-page-size-default-2', PAGES, RUN_RESULTS, missing(RUN_RESULTS, 'pageSize', 2)),
  row('runs-zero-based', PAGES, RUNS, zeroBased(RUNS)),
  row('results-zero-based', PAGES, RESULTS, zeroBased(RESULTS)),
  row('chats-zero-based', PAGES, CHATS, zeroBased(CHATS)),
  row('run-results-zero-based', PAGES, RUN_RESULTS, zeroBased(RUN_RESULTS)),
  row('results-page-size-ignored', PAGES, RESULTS, always(RESULTS, 'pageSize', undefined)),
  row('runs-page-size-ignored', PAGES, RUNS, always(RUNS, 'pageSize', undefined)),
  row('chats-page-size-ignored', PAGES, CHATS, always(CHATS, 'pageSize', undefined)),
  row('runs-page-number-ignored', PAGES, RUNS, always(RUNS, 'pageNumber', undefined)),
  row('run-results-page-number-ignored', PAGES, RUN_RESULTS, always(RUN_RESULTS, 'pageNumber', undefined)),
  row(
    'results-reads-page-and-take',
    PAGES,
    RESULTS,
    asks(RESULTS, (call) =>
      withQuery(call, { pageNumber: number(call, 'page', 0) + 1, pageSize: number(call, 'take', 10) }),
    ),
  ),
  row('audit-take-default-1', 'take int32 default 20 (section 4)', AUDIT, missing(AUDIT, 'take', 1)),
  row(
    'audit-page-one-based',
    'page int32 default 0 (section 4)',
    AUDIT,
    asks({ op: AUDIT, when: (call) => call.search.has('page') }, (call) =>
      withQuery(call, { page: Math.max(0, number(call, 'page', 0) - 1) }),
    ),
  ),
];

const WINDOWS: readonly Mutant[] = [
  row(
    'results-lost-at-border',
    PAGES,
    RESULTS,
    window(RESULTS, (page, size) => [(page - 1) * size + (page > 1 ? 1 : 0), size]),
  ),
  row(
    'results-twice-at-border',
    PAGES,
    RESULTS,
    window(RESULTS, (page, size) => [(page - 1) * size - (page > 1 ? 1 : 0), size]),
  ),
  row(
    'runs-one-more',
    PAGES,
    RUNS,
    window(RUNS, (page, size) => [(page - 1) * size, size + 1]),
  ),
  row(
    'chats-lost-at-border',
    PAGES,
    CHATS,
    window(CHATS, (page, size) => [(page - 1) * size + (page > 1 ? 1 : 0), size]),
  ),
  row(
    'results-past-end-repeats',
    PAGES,
    RESULTS,
    at(RESULTS, async (call, next) => {
      const reply = await next();
      return number(call, 'pageNumber', 1) > 1 && succeeded(reply) && items(parsed(reply)).length === 0
        ? next(withQuery(call, { pageNumber: 1 }))
        : reply;
    }),
  ),
  row(
    'runs-past-end-404',
    WRAPPED,
    RUNS,
    empties(RUNS, 'pageNumber')(() => problem(404)),
  ),
  row(
    'chats-past-end-500',
    '500 is an unexpected server error (section 7)',
    CHATS,
    empties(CHATS, 'pageNumber')(() => problem(500)),
  ),
  row(
    'results-past-end-no-body',
    WRAPPED,
    RESULTS,
    empties(RESULTS, 'pageNumber')(() => empty()),
  ),
  row(
    'runs-page-zero-500',
    '500 is an unexpected server error (section 7)',
    RUNS,
    answers({ op: RUNS, when: (call) => number(call, 'pageNumber', 1) <= 0 }, () => problem(500)),
  ),
  row(
    'results-page-size-max-500',
    '500 is an unexpected server error (section 7)',
    RESULTS,
    answers({ op: RESULTS, when: (call) => number(call, 'pageSize', 1) > 1_000_000 }, () => problem(500)),
  ),
];

const SHAPES: readonly Mutant[] = [
  row(
    'runs-bare-array',
    WRAPPED,
    RUNS,
    rewrite(RUNS, (value) => items(value)),
  ),
  row(
    'results-bare-array',
    WRAPPED,
    RESULTS,
    rewrite(RESULTS, (value) => items(value)),
  ),
  row(
    'chats-bare-array',
    WRAPPED,
    CHATS,
    rewrite(CHATS, (value) => items(value)),
  ),
  row(
    'run-results-text',
    WRAPPED,
    RUN_RESULTS,
    answers(RUN_RESULTS, (reply) =>
      succeeded(reply) ? withHeader(json('3 results'), 'content-type', 'application/json') : reply,
    ),
  ),
  row('runs-sort-direction-ignored', 'plus sortDirection (section 8)', RUNS, always(RUNS, 'sortDirection', undefined)),
  row(
    'results-sort-direction-ignored',
    'plus sortDirection (section 8)',
    RESULTS,
    always(RESULTS, 'sortDirection', undefined),
  ),
  row(
    'results-state-ignored',
    'results have a state that can be filtered with the string parameter state (section 3)',
    RESULTS,
    always(RESULTS, 'state', undefined),
  ),
  row(
    'results-state-always-empty',
    'results have a state that can be filtered with the string parameter state (section 3)',
    RESULTS,
    relist({ op: RESULTS, when: (call) => call.search.has('state') }, () => []),
  ),
  row('results-search-ignored', 'searchName string (section 4)', RESULTS, always(RESULTS, 'searchName', undefined)),
  row(
    'chats-no-results-default-true',
    'includeOnlyChatsWithNoResults boolean default false (section 4)',
    CHATS,
    missing(CHATS, 'includeOnlyChatsWithNoResults', 'true'),
  ),
  row(
    'chats-no-results-ignored',
    'includeOnlyChatsWithNoResults boolean (section 4)',
    CHATS,
    always(CHATS, 'includeOnlyChatsWithNoResults', undefined),
  ),
  row(
    'jobs-list-wrapped',
    '200, array of AiJobListItemViewModel (section 4)',
    'GET /aijob',
    rewrite('GET /aijob', (value) => ({ data: value, totalCount: items(value).length, pageSize: 10, currentPage: 1 })),
  ),
  row(
    'jobs-metadata-filter-ignored',
    'metadataFilter: object of string values, deepObject style (section 4)',
    'GET /aijob',
    asks('GET /aijob', () => ({ query: '' })),
  ),
  row(
    'agents-metadata-filter-ignored',
    'metadataFilter: object of string values, deepObject style (section 4)',
    'GET /aiagent',
    asks('GET /aiagent', () => ({ query: '' })),
  ),
  row(
    'jobs-metadata-filter-always-empty',
    'metadataFilter (section 4)',
    'GET /aijob',
    relist({ op: 'GET /aijob', when: (call) => call.query.toLowerCase().includes('metadatafilter') }, () => []),
  ),
  row(
    'jobs-metadata-filter-by-key-only',
    'metadataFilter: object of string values (section 4)',
    'GET /aijob',
    at(
      { op: 'GET /aijob', when: (call) => call.query.toLowerCase().includes('metadatafilter') },
      async (call, next) => {
        const keys = [...call.search.keys()]
          .map((name) => /^metadataFilter\[(.+)\]$/i.exec(name)?.[1])
          .filter((key) => key !== undefined);
        const reply = await next({ query: '' });
        const value = parsed(reply);
        const kept = items(value).filter((item) => keys.every((key) => key in asObject(asObject(item)['metadata'])));
        return succeeded(reply) ? withJson(reply, withItems(value, kept)) : reply;
      },
    ),
  ),
];

export const PAGING_JOBS: readonly Mutant[] = [...DEFAULTS, ...WINDOWS, ...SHAPES];
