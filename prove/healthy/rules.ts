import {
  asList,
  asObject,
  at,
  hit,
  idOf,
  items,
  parsed,
  problem,
  served,
  succeeded,
  withJson,
  withQuery,
} from '../proxy/edit.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import { CREATE, PATCH, POLICIES, POLICY, SET, WRITES } from '../exam/operations.ts';
import { refuse } from './refusals.ts';

const LIST = 'false-alarm list of platform.md';
async function policyNames(call: Call, context: Context): Promise<readonly unknown[]> {
  const all = items(parsed(await context.send('GET', '/api/accesscontrolpolicies?take=10000')));
  return all
    .filter((item) => idOf(item) !== (call.route?.params['id'] ?? '').toLowerCase())
    .map((item) => asObject(item)['name']);
}

const toggled = (what: string, active: boolean): Make =>
  at({ op: `POST ${POLICY}/{id}/${what}`, when: served }, async (call, next, context) => {
    const policy = asObject(parsed(await context.send('GET', call.path.replace(/\/(?:de)?activate\/?$/i, ''))));
    return policy['isActive'] === active ? problem(409) : next();
  });

/** Rules beyond the document. */
export const RULES: readonly Variation[] = [
  variation(
    'activate-active-409',
    'activating an active policy: not shown; 409 conflicts with the current state (api.md 3, 7)',
    toggled('activate', true),
  ),
  variation(
    'deactivate-inactive-409',
    'deactivating an inactive policy: not shown; 409 conflicts with the current state (api.md 3, 7)',
    toggled('deactivate', false),
  ),
  variation(
    'initially-active',
    'the initial state of a new policy: not shown (api.md 3)',
    at({ op: CREATE, when: served }, async (_, next, context) => {
      const reply = await next();
      if (succeeded(reply)) await context.send('POST', `/api${POLICY}/${String(parsed(reply))}/activate`);
      return reply;
    }),
  ),
  variation(
    'order-must-be-whole',
    'set as a whole (api.md 3); a partial one is not described',
    at({ op: SET, when: served }, async (call, next, context) => {
      const present = new Set(items(parsed(await context.send('GET', `/api${POLICY}/byprocessingorder`))).map(idOf));
      const given = asList(call.json).map(idOf);
      return Array.isArray(call.json) &&
        (given.length !== present.size || new Set(given).size !== given.length || given.some((id) => !present.has(id)))
        ? problem(400)
        : next();
    }),
  ),
  variation(
    'names-unique-409',
    '409 conflicts with the current state of the resource (api.md 7)',
    at({ op: POLICIES, when: served }, async (call, next, context) =>
      (await policyNames(call, context)).includes(asObject(call.json)['name']) ? problem(409) : next(),
    ),
  ),
  variation(
    'names-limited-to-200',
    '400 failed validation (api.md 7)',
    refuse((call) => hit(call, WRITES) && String(asObject(call.json)['name']).length > 200, problem(400)),
  ),
  variation(
    'names-required',
    '400 failed validation (api.md 7)',
    refuse(
      (call) =>
        hit(call, WRITES) &&
        call.json !== undefined &&
        (typeof asObject(call.json)['name'] !== 'string' || asObject(call.json)['name'] === ''),
      problem(400),
    ),
  ),
  variation(
    'max-take-100',
    'maximum page size: not shown (api.md 8)',
    at({ op: LIST, when: (call) => Number(call.search.get('take') ?? 20) > 100 }, (call, next) =>
      next(withQuery(call, { take: 100 })),
    ),
  ),
  variation(
    'max-take-100-else-400',
    'maximum page size: not shown (api.md 8)',
    refuse((call) => ['take', 'pageSize'].some((name) => Number(call.search.get(name) ?? 1) > 100), problem(400)),
  ),
  variation(
    'failed-test-400',
    `${LIST}: a failed test is 400 or 409`,
    at(PATCH, async (_, next) => {
      const reply = await next();
      return reply.status === 409 ? problem(400) : reply;
    }),
  ),
  variation(
    'newest-first',
    'orderBy default: none (api.md 8)',
    at({ op: LIST, when: (call) => served(call) && !call.search.has('orderBy') }, (call, next) =>
      next(withQuery(call, { orderBy: 'createdAt', orderAsc: 'false' })),
    ),
  ),
  variation('runs-yield-nothing', 'what a run leaves is not shown (api.md 3)', () => async (call, next) => {
    const reply = await next();
    const page = asObject(parsed(reply));
    return succeeded(reply) && /\/(?:chats|results(?:\/[^/]+)?)$/.test(call.path) && 'data' in page
      ? withJson(reply, { ...page, data: [], totalCount: 0, totalPages: 0 })
      : reply;
  }),
];
