import type { Defect } from '../defect.ts';
import { asFull, hit, itemId, number, withBody, withQuery } from '../proxy/call.ts';
import { at, listAt, relist, requests, rewrite, successes } from '../proxy/handler.ts';
import { asList, asObject, idOf } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import type { Make } from '../proxy/message.ts';
import { createdId, empty, relisted, succeeded } from '../proxy/reply.ts';
import { also, exists, itemOf, moveTo } from './items.ts';
import { stateful } from '../operators/operator.ts';
import {
  ACTIVATE,
  AUDIT_MANY,
  BULK,
  CHATS,
  CREATE,
  DEACTIVATE,
  DELETE,
  LIST,
  POLICIES,
  READ,
  READ_JOB,
  RUNS,
  RESULTS,
  RUN_RESULTS,
  UPDATE,
} from './operations.ts';
import { ACTIVATES, FORMS, row, SORTED, stores, str, warningRow, where } from './kit.ts';

const PAGED = 'each paging parameter has its default by itself (section 8)';
const LISTED = 'the list holds the items (section 4)';
const NUMBERED = [CHATS, RUNS] as const;
const LISTS = [...NUMBERED, RESULTS, RUN_RESULTS] as const;

/** A policy that was activated twice must be deactivated twice. */
const countsActivations = stateful(() => {
  const counts = new Map<string, number>();
  return at([ACTIVATE, DEACTIVATE], async (call, next, context) => {
    if (!(await exists(call, context))) return next();
    const count = (counts.get(itemId(call)) ?? 0) + (hit(call, ACTIVATE) ? 1 : -1);
    counts.set(itemId(call), Math.max(0, count));
    return hit(call, DEACTIVATE) && count > 0 ? empty() : next();
  });
});

/** Sorts by the names that the policies were created with. */
const sortsByFormerNames: Make = () => {
  const names = new Map<string, string>();
  return async (call, next) => {
    const reply = await next();
    if (!succeeded(reply)) return reply;
    if (hit(call, CREATE)) names.set(createdId(reply), str(asObject(call.json)['name']));
    if (!hit(call, LIST) || call.search.get('orderBy') !== 'name') return reply;
    const down = call.search.get('orderAsc') === 'false';
    const nameOf = (item: unknown): string => names.get(idOf(item)) ?? str(asObject(item)['name']);
    return relisted(reply, (all) => all.toSorted((a, b) => (nameOf(a) < nameOf(b) === down ? 1 : -1)));
  };
};

/** The list of the policies of a creator keeps those that were deleted. */
const keepsDeletedOfCreator = stateful(() => {
  const kept: JsonMap[] = [];
  return at([DELETE, LIST], async (call, next, context) => {
    const old = hit(call, DELETE) && (await exists(call, context)) ? await itemOf(call, context) : undefined;
    const reply = await next();
    if (old !== undefined && succeeded(reply)) kept.push(old);
    const creator = number(call, 'page', 0) === 0 ? call.search.get('filterCreator') : null;
    if (creator === null || !succeeded(reply)) return reply;
    return relisted(reply, (list) => [...list, ...kept.filter(({ createdBy }) => createdBy === creator)]);
  });
});

const withoutRules = (condition: JsonMap, levels: number): JsonMap => ({
  ...condition,
  rules: levels === 0 ? [] : asList(condition['rules']).map((rule) => withoutRules(asObject(rule), levels - 1)),
});

/** Defects that earlier versions of the suites did not find. */
export const CORNER_CASES: readonly Defect[] = [
  row('take-alone-skips-first-page', PAGED, [LIST], ['paging-defaults']).by(
    requests(
      where([LIST], (_, { search }) => search.has('take') && !search.has('page')),
      (call) => withQuery(call, { page: 1 }),
    ),
  ),
  row('take-alone-ignored', PAGED, [LIST], ['paging-defaults', 'paging-partition']).by(
    requests(
      where([LIST], (_, { search }) => !search.has('page')),
      (call) => withQuery(call, { take: undefined }),
    ),
  ),
  row('filtered-list-sorted-on-each-page', SORTED, [LIST], ['ordering']).by(
    at(
      where([LIST], (_, { search }) => search.has('filterActive') && search.get('orderBy') === 'name'),
      async (call, next) => {
        const down = call.search.get('orderAsc') === 'false';
        const nameOf = (item: unknown): string => str(asObject(item)['name']);
        const reply = await next(withQuery(call, { orderBy: undefined, orderAsc: undefined }));
        const sort = (all: readonly unknown[]) => all.toSorted((a, b) => (nameOf(a) < nameOf(b) === down ? 1 : -1));
        return succeeded(reply) ? relisted(reply, sort) : reply;
      },
    ),
  ),
  row('created-at-sorted-by-modified-at', SORTED, [LIST], ['ordering']).by(
    requests(
      where([LIST], (_, { search }) => search.get('orderBy') === 'createdAt'),
      (call) => withQuery(call, { orderBy: 'modifiedAt' }),
    ),
  ),
  row('order-by-former-names', SORTED, [LIST], ['ordering']).by(sortsByFormerNames),
  row('page-size-ignored-with-direction', 'pageSize with sortDirection (section 8)', NUMBERED, ['paging-partition']).by(
    requests(
      where(NUMBERED, (_, { search }) => search.has('sortDirection')),
      (call) => withQuery(call, { pageSize: undefined }),
    ),
  ),
  // A warning: the members of the wrapper are published.
  warningRow('total-count-falls-from-page-to-page', PAGED, LISTS, ['published-behaviour']).by(
    rewrite(where(LISTS), (page, call) => {
      const { totalCount, ...rest } = asObject(page);
      const before = (number(call, 'pageNumber', 1) - 1) * number(call, 'pageSize', 10);
      return typeof totalCount === 'number' ? { ...rest, totalCount: Math.max(0, totalCount - before) } : page;
    }),
  ),
  // Warnings: these parameters are published.
  ...(['objectTypeIds', 'authorId', 'fromDate', 'toDate', 'page'] as const).map((name) =>
    warningRow(
      `audit-ignores-${name}`,
      'getByObjectTypeIds also takes objectTypeIds, authorId, fromDate, toDate, page and take (platform.md)',
      [AUDIT_MANY],
      ['published-behaviour'],
    ).by(requests(where([AUDIT_MANY]), (call) => withQuery(call, { [name]: undefined }))),
  ),
  row('bulk-rejection-approves-in-one-form', FORMS, [BULK, RESULTS], ['approvals']).by(
    requests(
      where([BULK], (body) => body['action'] === 1, '/api'),
      (call) => withBody({ ...asObject(call.json), action: 0 }),
    ),
  ),
  row('large-pages-shortened-in-one-form', FORMS, [LIST], ['form-equivalence']).by(
    requests(
      where([LIST], (_, call) => number(call, 'take', 20) > 20, '/api'),
      (call) => withQuery(call, { take: 20 }),
    ),
  ),
  row('job-after-a-byte-order-mark', 'responses are JSON (section 9)', [READ_JOB], ['json-well-formed']).by(
    successes(READ_JOB, (reply) => ({ ...reply, body: Buffer.concat([Buffer.from('\uFEFF'), reply.body]) })),
  ),
  // A warning: a null result is 204 without a body (platform.md).
  warningRow(
    'empty-list-of-policies-204',
    'GET answers 200 and an array (section 4)',
    [LIST],
    ['status-documented'],
  ).by(successes(LIST, (reply) => (reply.body.toString() === '[]' ? empty(204) : reply))),
  row('activations-counted', ACTIVATES, [ACTIVATE, DEACTIVATE, LIST, READ], ['activation']).by(countsActivations),
  warningRow(
    'update-deactivates',
    'an update stores isActive as it is sent (platform.md)',
    [UPDATE],
    ['activation'],
  ).by(also(UPDATE, (call, context) => moveTo(context, itemId(call), 'deactivate'))),
  row('agents-without-metadata-unlisted', LISTED, ['GET /aiagent'], ['created-reads-back']).by(
    relist('GET /aiagent', (all) => all.filter((item) => Object.keys(asObject(asObject(item)['metadata'])).length > 0)),
  ),
  row('agents-of-jobs-unlisted', LISTED, ['GET /aiagent'], ['created-reads-back']).by(
    at('GET /aiagent', async (_, next, context) => {
      const used = (await listAt(context, '/api/aijob')).map((job) => str(asObject(job)['aiAgentId']).toLowerCase());
      const reply = await next();
      return succeeded(reply) ? relisted(reply, (all) => all.filter((each) => !used.includes(idOf(each)))) : reply;
    }),
  ),
  row('enabled-jobs-unlisted', LISTED, ['GET /aijob'], ['created-reads-back']).by(
    relist('GET /aijob', (all) => all.filter((job) => asObject(job)['enabled'] !== true)),
  ),
  row(
    'new-job-shown-without-prompt',
    'POST /aijob answers with the job (section 4)',
    ['POST /aijob'],
    ['created-reads-back'],
  ).by(rewrite('POST /aijob', (job) => ({ ...asObject(job), prompt: null }))),
  stores('nested-conditions-cut', POLICIES, READ, (body) =>
    'condition' in body ? { ...body, condition: withoutRules(asObject(body['condition']), 2) } : body,
  ),
  row(
    'longer-token-accepted',
    'an invalid token is answered with 401 (section 5)',
    ['DELETE /aiagent/{id}'],
    ['authentication'],
  ).by(
    at('DELETE /aiagent/{id}', (call, next, context) =>
      next(
        (call.headers['authorization'] ?? '').startsWith(`Bearer ${context.tokens.full}`)
          ? asFull(call, context)
          : undefined,
      ),
    ),
  ),
  row('filter-by-creator-keeps-deleted', 'filterCreator selects policies (section 4)', [LIST, DELETE], ['filters']).by(
    keepsDeletedOfCreator,
  ),
];
