import { hit, itemId, served, withQuery } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asList, asObject, idOf } from '../proxy/json.ts';
import { parsed, problem } from '../proxy/reply.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import { FALSE_ALARMS, INVALID, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { ACTIVATE, CREATE, DEACTIVATE, LIST, PATCH, POLICIES, SET, WRITES } from '../defects/operations.ts';
import { itemOf, moveTo, orderOf, POLICIES_PATH } from '../defects/items.ts';

/** Names of the policies except the one that a request addresses. */
async function otherNames(call: Call, context: Context): Promise<readonly unknown[]> {
  const all = await listAt(context, `${POLICIES_PATH}?take=10000`);
  return all.filter((item) => idOf(item) !== itemId(call)).map((item) => asObject(item)['name']);
}

/** Answers 409 if a policy already has the state to which it is moved. */
const conflictIfUnchanged = (op: OperationId, state: boolean): Make =>
  at({ op, when: served }).handles(async (call, next, context) =>
    (await itemOf(call, context))['isActive'] === state ? problem(409) : next(),
  );

export const RULES: readonly Variation[] = [
  variation(
    'activate-active-409',
    'activating an active policy: not shown; 409 conflicts with the current state (api.md 3, 7)',
  ).by(conflictIfUnchanged(ACTIVATE, true)),
  variation(
    'deactivate-inactive-409',
    'deactivating an inactive policy: not shown; 409 conflicts with the current state (api.md 3, 7)',
  ).by(conflictIfUnchanged(DEACTIVATE, false)),
  variation('initially-active', 'the initial state of a new policy: not shown (api.md 3)').by(
    at({ op: CREATE, when: served }).also((_, context, reply) => moveTo(context, String(parsed(reply)), 'activate')),
  ),
  {
    ...variation(
      'order-must-be-whole',
      'the order is set as a whole (api.md 3); a partial one is not described',
    ).handles(SET, async (call, next, context) => {
      const present = new Set((await orderOf(context)).map(idOf));
      const given = asList(call.json).map(idOf);
      return Array.isArray(call.json) &&
        (given.length !== present.size || new Set(given).size !== given.length || given.some((id) => !present.has(id)))
        ? problem(400)
        : next();
    }),
    decides: 'orders of some policies',
  },
  variation('names-unique-409', '409 conflicts with the current state of the resource (api.md 7)').handles(
    POLICIES,
    async (call, next, context) =>
      (await otherNames(call, context)).includes(asObject(call.json)['name']) ? problem(409) : next(),
  ),
  variation('names-limited-to-200', INVALID).refuses(
    (call) => hit(call, WRITES) && String(asObject(call.json)['name']).length > 200,
  ),
  variation('names-required', INVALID).refuses(
    (call) =>
      hit(call, WRITES) &&
      call.json !== undefined &&
      (typeof asObject(call.json)['name'] !== 'string' || asObject(call.json)['name'] === ''),
  ),
  variation('max-take-100', 'maximum page size: not shown (api.md 8)').by(
    at({ op: LIST, when: (call) => Number(call.search.get('take') ?? 20) > 100 }).handles((call, next) =>
      next(withQuery(call, { take: 100 })),
    ),
  ),
  variation('max-take-50-else-400', 'maximum page size: not shown (api.md 8)').refuses((call) =>
    ['take', 'pageSize'].some((name) => Number(call.search.get(name) ?? 1) > 50),
  ),
  variation('failed-test-400', `${FALSE_ALARMS}: a failed test is 400 or 409`).by(
    at(PATCH).whenStatus(409, () => problem(400)),
  ),
  variation('newest-first', 'orderBy default: none (api.md 8)').by(
    at({ op: LIST, when: (call) => served(call) && !call.search.has('orderBy') }).handles((call, next) =>
      next(withQuery(call, { orderBy: 'createdAt', orderAsc: 'false' })),
    ),
  ),
  variation('runs-yield-nothing', 'what a run produces is not shown (api.md 3)').json((page, { path }) =>
    /\/(?:chats|results(?:\/[^/]+)?)$/.test(path) && 'data' in asObject(page)
      ? { ...asObject(page), data: [], totalCount: 0, totalPages: 0 }
      : page,
  ),
];
