import {
  asObject,
  at,
  empty,
  hit,
  idOf,
  idsFit,
  items,
  json,
  parsed,
  problem,
  relist,
  rewrite,
  succeeded,
  withItems,
  withJson,
} from '../proxy/edit.ts';
import { also, exists, itself, mine, orderOf, setOrderTo } from '../exam/items.ts';
import { overlapping } from '../operators/operator.ts';
import {
  ACTIVATE,
  APPROVE,
  BULK,
  CREATE,
  DEACTIVATE,
  DELETE,
  LIST,
  ORDER,
  PATCH,
  POLICY,
  READ,
  READ_AGENT,
  READ_JOB,
  RESULT,
  RESULTS,
  RUNS,
  SET,
  UPDATE,
  UPDATE_AGENT,
  UPDATE_JOB,
} from '../exam/operations.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import { every } from './json.ts';
import { passThrough, together } from '../proxy/compose.ts';
import { atWork } from './timing.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';

/** A malformed body is refused with 400 whatever overlaps it, a malformed id with 400 or 404. */
const isParsed = ({ body, json }: Call): boolean => body.length === 0 || json !== undefined;

/** Answers these calls one after another: what they do in several steps loses nothing of each other. */
function oneAfterAnother(op: readonly string[]): Make {
  return (context) => {
    let last: Promise<unknown> = Promise.resolve();
    return at(op, (_, next) => {
      const reply = last.then(() => next());
      last = reply.catch(() => undefined);
      return reply;
    })(context);
  };
}

const OPEN = 'not shown in api.md';
const LATE = 'a change that shows within --settle breaks no promise';
const CHANGES = [
  DELETE,
  UPDATE,
  ACTIVATE,
  DEACTIVATE,
  SET,
  'DELETE /aiagent/{id}',
  UPDATE_AGENT,
  'DELETE /aijob/{id}',
  APPROVE,
  BULK,
];
const ITEM_WRITES = [
  DELETE,
  UPDATE,
  ACTIVATE,
  DEACTIVATE,
  UPDATE_AGENT,
  'DELETE /aiagent/{id}',
  UPDATE_JOB,
  PATCH,
  'DELETE /aijob/{id}',
];

/** Results move to a state of their own for a while, before they move to the last one. */
const inSteps =
  (milliseconds: number): Make =>
  () => {
    const since = new Map<string, number>();
    const moving = (item: unknown, job: string): unknown => {
      const state = asObject(item)['state'];
      const fresh = performance.now() - (since.get(job) ?? -Infinity) < milliseconds;
      return fresh && (state === 'Approved' || state === 'Rejected')
        ? { ...asObject(item), state: 'InProgress' }
        : item;
    };
    return async (call, next) => {
      const reply = await next();
      if (!succeeded(reply)) return reply;
      if (hit(call, [APPROVE, BULK])) since.set(mine(call), performance.now());
      if (hit(call, RESULT)) return withJson(reply, moving(parsed(reply), mine(call)));
      if (!hit(call, RESULTS)) return reply;
      const wanted = call.search.get('state');
      const shown = items(parsed(reply)).map((item) => moving(item, mine(call)));
      return withJson(
        reply,
        withItems(parsed(reply), wanted === null ? shown : shown.filter((item) => asObject(item)['state'] === wanted)),
      );
    };
  };

/** Runs wait a while before they begin. */
const slowRuns = (milliseconds: number): Make =>
  relist(RUNS, (list) =>
    list.map((run) => {
      const fields = asObject(run);
      const young = Date.now() - Date.parse(String(fields['startedAt'])) < milliseconds;
      return young ? { ...fields, state: 'Queued', completedAt: null, count: 0, chatsWithNoResults: [] } : run;
    }),
  );

/** Somebody else who does nothing but create, order, switch and delete his own policies, as fast as he can. */
const restless = (context: Context): (() => Promise<void>) => {
  const own: string[] = [];
  const turn = async (count: number): Promise<void> => {
    own.push(String(parsed(await context.send('POST', `/api${POLICY}`, { name: `restless ${count}` }))));
    const order = await orderOf(context);
    const mineOnly = new Set(own.map((id) => id.toLowerCase()));
    const turned = order.filter((entry) => mineOnly.has(idOf(entry))).toReversed();
    await setOrderTo(
      context,
      order.map((entry) => (mineOnly.has(idOf(entry)) ? (turned.shift() ?? entry) : entry)),
    );
    await context.send('POST', `/api${POLICY}/${own[0] ?? ''}/${count % 2 === 0 ? 'activate' : 'deactivate'}`);
    if (own.length > 5) await context.send('DELETE', `/api${POLICY}/${own.shift() ?? ''}`);
  };
  return atWork(15, turn);
};

export const STATES: readonly Variation[] = [
  variation(
    'changes-204',
    '"200, no body" (api.md 4); a null result is 204 without a body (platform.md)',
    every((reply, call) =>
      hit(call, CHANGES) && reply.status === 200 && reply.body.length === 0 ? { ...reply, status: 204 } : reply,
    ),
  ),
  variation(
    'new-policies-first',
    `where a new policy comes in the order: ${OPEN}`,
    together(
      oneAfterAnother([CREATE, SET]),
      also(CREATE, async (_, context, reply) => {
        const order = await orderOf(context);
        const newest = String(parsed(reply)).toLowerCase();
        await setOrderTo(context, [
          ...order.filter((entry) => idOf(entry) === newest),
          ...order.filter((entry) => idOf(entry) !== newest),
        ]);
      }),
    ),
  ),
  variation(
    'overlapping-writes-409',
    '409 request conflicts with the current state (api.md 7)',
    overlapping(
      { op: ITEM_WRITES },
      mine,
      async (call, next, others) => (others.length > 0 && isParsed(call) && idsFit(call) ? problem(409) : next()),
      4,
    ),
  ),
  variation(
    'overlapping-orders-409',
    '409 request conflicts with the current state (api.md 7)',
    overlapping(
      { op: SET },
      () => '',
      async (call, next, others) => (others.length > 0 && isParsed(call) ? problem(409) : next()),
      4,
    ),
  ),
  variation(
    'overlapping-deletions-200',
    'the item was there when both deletions began',
    overlapping(
      { op: DELETE },
      mine,
      async (call, next, others, context) => {
        const there = await exists(call, context);
        const reply = await next();
        return reply.status === 404 && (there || others.length > 0) && others.length > 0 ? empty() : reply;
      },
      3,
    ),
  ),
  variation(
    'order-skips-unknown',
    `what an order with unknown policies does: ${OPEN}`,
    at({ op: SET, when: (call) => call.role === 'full' && Array.isArray(call.json) }, async (call, next, context) => {
      const known = new Set((await orderOf(context)).map(idOf));
      return next({
        body: Buffer.from(
          JSON.stringify(
            (call.json as unknown[]).filter(
              (entry, index, all) =>
                known.has(idOf(entry)) && all.findIndex((other) => idOf(other) === idOf(entry)) === index,
            ),
          ),
        ),
      });
    }),
  ),
  variation(
    'order-ids-upper',
    'uuids may come in upper case (platform.md)',
    relist(ORDER, (list) => list.map((entry) => ({ ...asObject(entry), id: idOf(entry).toUpperCase() }))),
  ),
  variation('approvals-in-steps', `transitions of results: ${OPEN}`, inSteps(600)),
  variation('runs-begin-late', `transitions of runs: ${OPEN}`, slowRuns(2500)),
  variation(
    'approval-of-decided-409',
    '409 request conflicts with the current state (api.md 7)',
    at(APPROVE, async (call, next, context) => {
      const results = items(
        parsed(await context.send('GET', `${itself(call)}/results/${call.route?.params['type'] ?? ''}?pageSize=500`)),
      );
      const decided = new Set(results.filter((result) => asObject(result)['state'] !== 'Pending').map(idOf));
      const named = items(call.json).map((each) => String(asObject(each)['resultId']).toLowerCase());
      return named.some((id) => decided.has(id)) ? problem(409) : next();
    }),
  ),
  variation(
    'unchanged-move-shows-modified',
    `fields of models: ${OPEN}`,
    rewrite([READ, LIST], (value) =>
      Array.isArray(value) ? value : { ...asObject(value), modifiedAt: new Date().toISOString() },
    ),
  ),
  variation(
    'reads-show-their-time',
    `fields of models: ${OPEN}`,
    rewrite([READ, LIST, READ_AGENT, READ_JOB, RUNS], (value) =>
      Array.isArray(value) ? value : { ...asObject(value), retrievedAt: new Date().toISOString() },
    ),
  ),
  variation('others-restless', 'others work on the same collections', passThrough, { actor: restless }),
  variation('deletion-shows-late', LATE, () => {
    const gone = new Map<string, { readonly at: number; readonly item: unknown }>();
    return async (call, next) => {
      const before = hit(call, { op: DELETE, when: (c) => c.role === 'full' })
        ? await next({ method: 'GET' })
        : undefined;
      const reply = await next();
      if (before !== undefined && succeeded(before) && succeeded(reply))
        gone.set(mine(call), { at: performance.now(), item: parsed(before) });
      const old = gone.get(mine(call));
      const fresh = old !== undefined && performance.now() - old.at < 500;
      return hit(call, { op: READ, when: (c) => c.role === 'full' }) && reply.status === 404 && fresh
        ? json(old.item)
        : reply;
    };
  }),
];
