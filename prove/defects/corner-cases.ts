import type { Defect } from '../defect.ts';
import { asFull, hit, itemId, number, withBody, withQuery } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asList, asObject, idOf } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import type { Make } from '../proxy/message.ts';
import { createdId, empty, problem, relisted, succeeded } from '../proxy/reply.ts';
import { exists, itemOf, moveTo } from './items.ts';
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
import { ACTIVATES, FORMS, defect, SORTED, stores, str, warningDefect, where } from './kit.ts';

const PAGED = 'each paging parameter has its default by itself (section 8)';
const LISTED = 'the list holds the items (section 4)';
const NUMBERED = [CHATS, RUNS] as const;
const LISTS = [...NUMBERED, RESULTS, RUN_RESULTS] as const;

/** A policy that was activated twice must be deactivated twice. */
const countsActivations = stateful(() => {
  const counts = new Map<string, number>();
  return at([ACTIVATE, DEACTIVATE]).handles(async (call, next, context) => {
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
  return at([DELETE, LIST]).handles(async (call, next, context) => {
    const old = hit(call, DELETE) && (await exists(call, context)) ? await itemOf(call, context) : undefined;
    const reply = await next();
    if (old !== undefined && succeeded(reply)) kept.push(old);
    const creator = number(call, 'page', 0) === 0 ? call.search.get('filterCreator') : null;
    if (creator === null || !succeeded(reply)) return reply;
    return relisted(reply, (list) => [...list, ...kept.filter(({ createdBy }) => createdBy === creator)]);
  });
});

/** An update loses the creator: filterCreator no longer finds the policy. */
const changesCreator = stateful(() => {
  const updated = new Set<string>();
  return at([UPDATE, LIST]).handles(async (call, next) => {
    const reply = await next();
    if (!succeeded(reply)) return reply;
    if (hit(call, UPDATE)) updated.add(itemId(call));
    if (call.search.get('filterCreator') === null) return reply;
    return relisted(reply, (list) => list.filter((item) => !updated.has(idOf(item))));
  });
});

const withoutRules = (condition: JsonMap, levels: number): JsonMap => ({
  ...condition,
  rules: levels === 0 ? [] : asList(condition['rules']).map((rule) => withoutRules(asObject(rule), levels - 1)),
});

/** Defects that earlier versions of the suites did not find. */
export const CORNER_CASES: readonly Defect[] = [
  defect('take-alone-skips-first-page', PAGED, [LIST], ['paging-defaults']).by(
    at(where([LIST], (_, { search }) => search.has('take') && !search.has('page'))).requests((call) =>
      withQuery(call, { page: 1 }),
    ),
  ),
  defect('take-alone-ignored', PAGED, [LIST], ['paging-defaults', 'paging-partition']).by(
    at(where([LIST], (_, { search }) => !search.has('page'))).requests((call) => withQuery(call, { take: undefined })),
  ),
  defect('filtered-list-sorted-on-each-page', SORTED, [LIST], ['ordering']).by(
    at(where([LIST], (_, { search }) => search.has('filterActive') && search.get('orderBy') === 'name')).handles(
      async (call, next) => {
        const down = call.search.get('orderAsc') === 'false';
        const nameOf = (item: unknown): string => str(asObject(item)['name']);
        const reply = await next(withQuery(call, { orderBy: undefined, orderAsc: undefined }));
        const sort = (all: readonly unknown[]) => all.toSorted((a, b) => (nameOf(a) < nameOf(b) === down ? 1 : -1));
        return succeeded(reply) ? relisted(reply, sort) : reply;
      },
    ),
  ),
  defect('created-at-sorted-by-modified-at', SORTED, [LIST], ['ordering']).by(
    at(where([LIST], (_, { search }) => search.get('orderBy') === 'createdAt')).requests((call) =>
      withQuery(call, { orderBy: 'modifiedAt' }),
    ),
  ),
  defect('page-one-is-the-second', 'pageNumber is one-based (section 8)', [RUNS], ['paging-base']).by(
    at(RUNS).handles((call, next) => {
      const page = number(call, 'pageNumber', 1);
      return page < 1 ? Promise.resolve(problem(400)) : next(withQuery(call, { pageNumber: page + 1 }));
    }),
  ),
  defect('order-by-former-names', SORTED, [LIST], ['ordering']).by(sortsByFormerNames),
  defect('page-size-ignored-with-direction', 'pageSize with sortDirection (section 8)', NUMBERED, [
    'paging-partition',
  ]).by(
    at(where(NUMBERED, (_, { search }) => search.has('sortDirection'))).requests((call) =>
      withQuery(call, { pageSize: undefined }),
    ),
  ),
  // A warning: the members of the wrapper are published.
  warningDefect('total-count-falls-from-page-to-page', PAGED, LISTS, ['published-behaviour']).by(
    at(where(LISTS)).rewrites((page, call) => {
      const { totalCount, ...rest } = asObject(page);
      const before = (number(call, 'pageNumber', 1) - 1) * number(call, 'pageSize', 10);
      return typeof totalCount === 'number' ? { ...rest, totalCount: Math.max(0, totalCount - before) } : page;
    }),
  ),
  // Warnings: these parameters are published.
  ...(['objectTypeIds', 'authorId', 'fromDate', 'toDate', 'page'] as const).map((name) =>
    warningDefect(
      `audit-ignores-${name}`,
      'getByObjectTypeIds also takes objectTypeIds, authorId, fromDate, toDate, page and take (platform.md)',
      [AUDIT_MANY],
      ['published-behaviour'],
    ).by(at(where([AUDIT_MANY])).requests((call) => withQuery(call, { [name]: undefined }))),
  ),
  defect('bulk-rejection-approves-in-one-form', FORMS, [BULK, RESULTS], ['approvals']).by(
    at(where([BULK], (body) => body['action'] === 1, '/api')).requests((call) =>
      withBody({ ...asObject(call.json), action: 0 }),
    ),
  ),
  defect('large-pages-shortened-in-one-form', FORMS, [LIST], ['form-equivalence']).by(
    at(where([LIST], (_, call) => number(call, 'take', 20) > 20, '/api')).requests((call) =>
      withQuery(call, { take: 20 }),
    ),
  ),
  defect('job-after-a-byte-order-mark', 'responses are JSON (section 9)', [READ_JOB], ['json-well-formed']).by(
    at(READ_JOB).successes((reply) => ({ ...reply, body: Buffer.concat([Buffer.from('\uFEFF'), reply.body]) })),
  ),
  // A warning: a null result is 204 without a body (platform.md).
  warningDefect(
    'empty-list-of-policies-204',
    'GET answers 200 and an array (section 4)',
    [LIST],
    ['status-documented'],
  ).by(at(LIST).successes((reply) => (reply.body.toString() === '[]' ? empty(204) : reply))),
  defect('activations-counted', ACTIVATES, [ACTIVATE, DEACTIVATE, LIST, READ], ['activation']).by(countsActivations),
  warningDefect(
    'update-deactivates',
    'an update stores isActive as it is sent (platform.md)',
    [UPDATE],
    ['activation'],
  ).by(at(UPDATE).also((call, context) => moveTo(context, itemId(call), 'deactivate'))),
  defect('agents-without-metadata-unlisted', LISTED, ['GET /aiagent'], ['created-reads-back']).by(
    at('GET /aiagent').relists((all) =>
      all.filter((item) => Object.keys(asObject(asObject(item)['metadata'])).length > 0),
    ),
  ),
  defect('agents-of-jobs-unlisted', LISTED, ['GET /aiagent'], ['created-reads-back']).by(
    at('GET /aiagent').relists(async (all, _, context) => {
      const used = (await listAt(context, '/api/aijob')).map((job) => str(asObject(job)['aiAgentId']).toLowerCase());
      return all.filter((each) => !used.includes(idOf(each)));
    }),
  ),
  defect('enabled-jobs-unlisted', LISTED, ['GET /aijob'], ['created-reads-back']).by(
    at('GET /aijob').relists((all) => all.filter((job) => asObject(job)['enabled'] !== true)),
  ),
  defect(
    'new-job-shown-without-prompt',
    'POST /aijob answers with the job (section 4)',
    ['POST /aijob'],
    ['created-reads-back'],
  ).by(at('POST /aijob').rewrites((job) => ({ ...asObject(job), prompt: null }))),
  stores('nested-conditions-cut', POLICIES, (body) =>
    'condition' in body ? { ...body, condition: withoutRules(asObject(body['condition']), 2) } : body,
  ),
  defect(
    'longer-token-accepted',
    'an invalid token is answered with 401 (section 5)',
    ['DELETE /aiagent/{id}'],
    ['authentication'],
  ).by(
    at('DELETE /aiagent/{id}').handles((call, next, context) =>
      next(
        (call.headers['authorization'] ?? '').startsWith(`Bearer ${context.tokens.full}`)
          ? asFull(call, context)
          : undefined,
      ),
    ),
  ),
  defect(
    'filter-by-creator-keeps-deleted',
    'filterCreator selects policies (section 4)',
    [LIST, DELETE],
    ['filters'],
  ).by(keepsDeletedOfCreator),
  defect(
    'creator-lost-to-update',
    'filterCreator selects the policies of one creator (section 4)',
    [UPDATE, LIST],
    ['filters'],
  ).by(changesCreator),
];
