import { hit, idsFit, itemId, withBody } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asList, asObject, idOf, items } from '../proxy/json.ts';
import { empty, parsed, problem, relisted, succeeded, withJson } from '../proxy/reply.ts';
import { exists, orderOf, pathOfItem, setOrderTo } from '../defects/items.ts';
import { ofAny, overlapping, stateful } from '../operators/operator.ts';
import {
  ACTIVATE,
  APPROVE,
  BULK,
  CREATE,
  DEACTIVATE,
  DELETE,
  LIST,
  PATCH,
  READ,
  RESULT,
  RESULTS,
  SET,
  UPDATE,
  UPDATE_AGENT,
  UPDATE_JOB,
} from '../defects/operations.ts';
import type { Call, Make } from '../proxy/message.ts';
import { together } from '../proxy/compose.ts';
import { CONFLICT, FIELDS, NOT_SHOWN, variation } from './variation.ts';
import type { Variation } from './variation.ts';

/** True for a request without a body or with well-formed JSON; others are refused with 400 whatever overlaps them. */
const isParsed = ({ body, json }: Call): boolean => body.length === 0 || json !== undefined;

/** Handles requests one after another, so that handlers that take several steps do not interfere. */
const serialized = (op: readonly OperationId[]): Make =>
  stateful(() => {
    let last: Promise<unknown> = Promise.resolve();
    return at(op).handles((_, next) => {
      const reply = last.then(() => next());
      last = reply.catch(() => undefined);
      return reply;
    });
  });

const DELETIONS = [DELETE, 'DELETE /aiagent/{id}', 'DELETE /aijob/{id}'] as const;
const WITHOUT_BODY = [...DELETIONS, UPDATE, ACTIVATE, DEACTIVATE, SET, UPDATE_AGENT, APPROVE, BULK] as const;
const ITEM_WRITES = [...DELETIONS, UPDATE, ACTIVATE, DEACTIVATE, UPDATE_AGENT, UPDATE_JOB, PATCH] as const;

/** For 600 ms after an approval or rejection, results have a state between. */
const resultsInSteps: Make = () => {
  const since = new Map<string, number>();
  const shownAs = (item: unknown, job: string): unknown => {
    const state = asObject(item)['state'];
    const isRecent = performance.now() - (since.get(job) ?? -Infinity) < 600;
    return isRecent && (state === 'Approved' || state === 'Rejected')
      ? { ...asObject(item), state: 'InProgress' }
      : item;
  };
  return async (call, next) => {
    const reply = await next();
    if (!succeeded(reply)) return reply;
    if (hit(call, [APPROVE, BULK])) since.set(itemId(call), performance.now());
    if (hit(call, RESULT)) return withJson(reply, shownAs(parsed(reply), itemId(call)));
    if (!hit(call, RESULTS)) return reply;
    const wanted = call.search.get('state');
    return relisted(reply, (list) =>
      list
        .map((item) => shownAs(item, itemId(call)))
        .filter((item) => wanted === null || asObject(item)['state'] === wanted),
    );
  };
};

const isFirst = (ids: readonly string[], index: number): boolean => ids.indexOf(ids[index] ?? '') === index;

/** States, orders and overlapping requests. */
export const STATES: readonly Variation[] = [
  variation('changes-204', '"200, no body" (api.md 4); a null result is 204 without a body (platform.md)').replies(
    (reply, call) =>
      hit(call, WITHOUT_BODY) && reply.status === 200 && reply.body.length === 0 ? { ...reply, status: 204 } : reply,
  ),
  variation('new-policies-first', `the position of a new policy in the order: ${NOT_SHOWN}`).by(
    together(
      serialized([CREATE, SET]),
      at(CREATE).also(async (_, context, reply) => {
        const order = await orderOf(context);
        const newest = String(parsed(reply)).toLowerCase();
        await setOrderTo(context, [
          ...order.filter((entry) => idOf(entry) === newest),
          ...order.filter((entry) => idOf(entry) !== newest),
        ]);
      }),
    ),
  ),
  variation('overlapping-writes-409', CONFLICT).by(
    overlapping(
      { op: ITEM_WRITES },
      itemId,
      async (call, next, others) => (others.length > 0 && isParsed(call) && idsFit(call) ? problem(409) : next()),
      4,
    ),
  ),
  variation('overlapping-orders-409', CONFLICT).by(
    overlapping(
      { op: SET },
      ofAny,
      async (call, next, others) => (others.length > 0 && isParsed(call) ? problem(409) : next()),
      4,
    ),
  ),
  variation('overlapping-deletions-200', 'the item existed when both deletions began').by(
    overlapping(
      { op: DELETE },
      itemId,
      async (call, next, others, context) => {
        const there = await exists(call, context);
        const reply = await next();
        return reply.status === 404 && (there || others.length > 0) && others.length > 0 ? empty() : reply;
      },
      3,
    ),
  ),
  variation('order-skips-unknown', `an order with unknown policies: ${NOT_SHOWN}`).by(
    at({ op: SET, when: (call) => call.role === 'full' && Array.isArray(call.json) }).handles(
      async (call, next, context) => {
        const known = new Set((await orderOf(context)).map(idOf));
        const given = asList(call.json);
        const ids = given.map(idOf);
        return next(withBody(given.filter((_, index) => known.has(ids[index] ?? '') && isFirst(ids, index))));
      },
    ),
  ),
  variation('approvals-in-steps', `transitions of results: ${NOT_SHOWN}`).by(resultsInSteps),
  variation('approval-of-decided-409', CONFLICT).handles(APPROVE, async (call, next, context) => {
    const type = call.route?.params['type'] ?? '';
    const results = await listAt(context, `${pathOfItem(call)}/results/${type}?pageSize=500`);
    const decided = new Set(results.filter((result) => asObject(result)['state'] !== 'Pending').map(idOf));
    const named = items(call.json).map((each) => String(asObject(each)['resultId']).toLowerCase());
    return named.some((id) => decided.has(id)) ? problem(409) : next();
  }),
  variation('unchanged-move-shows-modified', FIELDS).by(
    at([READ, LIST]).rewrites((value) =>
      Array.isArray(value) ? value : { ...asObject(value), modifiedAt: new Date().toISOString() },
    ),
  ),
];
