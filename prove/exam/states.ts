import type { Defect } from '../defect.ts';
import {
  asList,
  asObject,
  at,
  empty,
  hit,
  idOf,
  items,
  parsed,
  problem,
  relist,
  replies,
  requests,
  succeeded,
  withBody,
  withItems,
  withJson,
} from '../proxy/edit.ts';
import type { JsonMap } from '../proxy/edit.ts';
import {
  after,
  also,
  exists,
  forgets,
  fresh,
  frozen,
  hiding,
  itself,
  mine,
  moveTo,
  orderOf,
  setOrderTo,
} from '../proxy/items.ts';
import type { Call, Context, Make } from '../proxy/message.ts';
import type { CheckName } from '../../spec/index.ts';
import {
  CREATE,
  DELETE,
  fails,
  failsRefusing,
  LIST,
  ORDER,
  POLICY,
  READ,
  row,
  SET,
  stores,
  str,
  UPDATE,
  where,
} from './kit.ts';

const ACTIVATE = `POST ${POLICY}/{id}/activate`;
const DEACTIVATE = `POST ${POLICY}/{id}/deactivate`;
const APPROVE = 'POST /aijob/{id}/results/{type}/approvals';
const BULK = 'PUT /aijob/{id}/bulk-result-approval-request';
const RESULTS = ['GET /aijob/{id}/results/{type}', 'GET /aijob/{id}/results/{type}/{resultId}'];
const RUN = 'POST /aijob/{id}/execution-queue';
const RUNS = 'GET /aijob/{id}/runs';

const MOVES = 'activate makes a policy active, deactivate inactive (section 3)';
const GONE = 'what was deleted is answered with 404 (section 7)';
const WHOLE = 'the processing order is set as a whole and read back (section 3)';
const MODEL: readonly CheckName[] = ['activation', 'model-conformance', 'updated-reads-back', 'deleted-is-gone'];
const ORDERED: readonly CheckName[] = ['processing-order', 'model-conformance'];

const isActive = async (call: Call, context: Context): Promise<boolean> =>
  asObject(parsed(await context.send('GET', itself(call))))['isActive'] === true;
const later = (work: () => Promise<unknown>): void => void setTimeout(() => void work().catch(() => undefined), 250);

const toggles: Make = at([ACTIVATE, DEACTIVATE], async (call, next, context) => {
  if (!(await exists(call, context))) return next();
  const active = await isActive(call, context);
  return active === hit(call, ACTIVATE)
    ? next({ path: `${itself(call)}/${active ? 'deactivate' : 'activate'}` })
    : next();
});

/** Reads that are cached, per form, until a write through the same form. */
const cachedPerForm = (op: string): Make =>
  frozen(
    (call) => hit(call, op),
    (call) => `${call.route?.form ?? ''} ${mine(call)} ${call.query}`,
    (call, known) => {
      if (call.method !== 'GET')
        for (const key of known.keys()) if (key.startsWith(`${call.route?.form ?? ''} `)) known.delete(key);
    },
  );

const POLICIES: readonly Defect[] = [
  row('activation-toggles', MOVES, [ACTIVATE, DEACTIVATE, LIST, READ], MODEL, toggles),
  row(
    'fourth-switch-forgotten',
    MOVES,
    [ACTIVATE, DEACTIVATE, LIST, READ],
    MODEL,
    fresh(() => forgets([ACTIVATE, DEACTIVATE], after(3))),
  ),
  row(
    'activation-of-last-in-order-forgotten',
    MOVES,
    [ACTIVATE, LIST, READ],
    MODEL,
    forgets(ACTIVATE, async (call, context) => idOf((await orderOf(context)).at(-1)) === mine(call)),
  ),
  row(
    'activation-reverts-soon',
    MOVES,
    [ACTIVATE, LIST, READ],
    MODEL,
    also(ACTIVATE, (call, context) => later(() => moveTo(context, mine(call), 'deactivate'))),
  ),
  row(
    'order-activates-its-first',
    MOVES,
    [SET, LIST, READ],
    [...MODEL, 'processing-order'],
    also(SET, async (_, context) => {
      await moveTo(context, idOf((await orderOf(context))[0]), 'activate');
    }),
  ),
  row(
    'update-of-active-forgotten',
    'PUT stores the policy (section 4)',
    [UPDATE, READ],
    MODEL,
    forgets(UPDATE, isActive),
  ),
  row('deletion-of-active-forgotten', GONE, [DELETE, READ, LIST], MODEL, forgets(DELETE, isActive)),
  row(
    'list-cached-per-form',
    'both forms behave the same (section 4)',
    [LIST, ACTIVATE, DEACTIVATE, UPDATE, DELETE, CREATE],
    [...MODEL, 'form-shared-state', 'filters'],
    cachedPerForm(LIST),
  ),
  row(
    'read-cached-per-form',
    'both forms behave the same (section 4)',
    [READ, UPDATE, DELETE, ACTIVATE, DEACTIVATE],
    [...MODEL, 'form-shared-state'],
    cachedPerForm(READ),
  ),
  row(
    'list-ends-after-24',
    'take: items per page (section 8)',
    [LIST, CREATE],
    ['paging-partition', 'paging-defaults', 'filters', 'ordering'],
    relist({ op: LIST, when: ({ search }) => !search.has('searchName') }, (list, call) => {
      const before = Number(call.search.get('page') ?? 0) * Number(call.search.get('take') ?? 20);
      return list.slice(0, Math.max(0, 24 - before));
    }),
  ),
  row(
    'deleted-back-after-update',
    GONE,
    [DELETE, UPDATE, READ, LIST],
    MODEL,
    comesBack((call, hidden) => hit(call, UPDATE) && hidden.delete(mine(call))),
  ),
  row(
    'deleted-back-after-another-activation',
    GONE,
    [DELETE, ACTIVATE, READ, LIST],
    MODEL,
    comesBack((call, hidden) => hit(call, ACTIVATE) && !hidden.has(mine(call)) && hidden.clear()),
  ),
  row(
    'policy-created-though-refused',
    'a refused request changes nothing (section 7)',
    [CREATE, LIST],
    ['refused-changes-nothing'],
    at(
      where([CREATE], () => true),
      async (call, next, context) => {
        const reply = await next();
        const { name } = asObject(call.json);
        if (reply.status === 400 && typeof name === 'string') await context.send('POST', `/api${POLICY}`, { name });
        return reply;
      },
    ),
  ),
];

/** Deletions only hide; `back` says which calls bring hidden items back. */
function comesBack(back: (call: Call, hidden: Set<string>) => unknown): Make {
  return () => {
    const hidden = new Set<string>();
    return async (call, next) => {
      const isHidden = hidden.has(mine(call)) && call.role === 'full';
      if (hit(call, DELETE) && call.role === 'full') {
        if (isHidden || !succeeded(await next({ method: 'GET' }))) return empty(404);
        hidden.add(mine(call));
        return empty(200);
      }
      if (call.method !== 'GET' && isHidden) {
        back(call, hidden);
        return hidden.has(mine(call)) ? empty(404) : next();
      }
      const reply = await next();
      if (succeeded(reply) && call.method !== 'GET') back(call, hidden);
      return hiding(hidden, call, reply);
    };
  };
}

const ids = (call: Call): readonly string[] => asList(call.json).map((entry) => str(asObject(entry)['id']));
const isLong =
  (count: number) =>
  (_: JsonMap, call: Call): boolean =>
    asList(call.json).length > count;

/** The order as it was before it was last set comes back. */
const undoneBy =
  (op: string): Make =>
  (context) => {
    let before: readonly unknown[] | undefined;
    return async (call, next) => {
      const order = hit(
        call,
        where([SET], () => Array.isArray(call.json)),
      )
        ? await orderOf(context)
        : undefined;
      const reply = await next();
      if (!succeeded(reply)) return reply;
      if (order !== undefined) before = order;
      if (hit(call, op) && before !== undefined) {
        const known = new Set((await orderOf(context)).map(idOf));
        await setOrderTo(
          context,
          before.filter((entry) => known.has(idOf(entry))),
        );
        before = undefined;
      }
      return reply;
    };
  };

const ORDERS: readonly Defect[] = [
  fails('order-upper-case-id-500', [SET], (_, call) => ids(call).some((id) => /[A-F]/.test(id))),
  fails('order-entry-without-name-500', [SET], (_, call) =>
    asList(call.json).some((entry) => (asObject(entry)['name'] ?? null) === null),
  ),
  row(
    'order-past-8-entries-ignored',
    WHOLE,
    [SET, ORDER],
    ORDERED,
    requests(where([SET], isLong(8)), (call) => withBody(asList(call.json).slice(0, 8))),
  ),
  row(
    'order-places-win',
    WHOLE,
    [SET, ORDER],
    ORDERED,
    requests(where([SET], isLong(1)), (call) =>
      withBody([...asList(call.json)].map(asObject).toSorted((a, b) => Number(a['order']) - Number(b['order']))),
    ),
  ),
  row(
    'order-with-unknown-id-set-in-part',
    WHOLE,
    [SET, ORDER],
    [...ORDERED, 'refused-changes-nothing'],
    at(
      where([SET], () => true),
      async (call, next, context) => {
        const before = new Set((await orderOf(context)).map(idOf));
        const reply = await next();
        const known = [...new Set(ids(call))].filter((id) => before.has(id.toLowerCase()));
        if (reply.status >= 400 && reply.status < 500 && known.length > 0)
          await setOrderTo(
            context,
            known.map((id) => ({ id, name: 'x' })),
          );
        return reply;
      },
    ),
  ),
  row('order-undone-by-activation', WHOLE, [ACTIVATE, SET, ORDER], ORDERED, undoneBy(ACTIVATE)),
  row('order-undone-by-creation', WHOLE, [CREATE, SET, ORDER], ORDERED, undoneBy(CREATE)),
  row(
    'order-shows-twelve',
    WHOLE,
    [ORDER, SET],
    ORDERED,
    relist(ORDER, (list) => list.slice(0, 12)),
  ),
  row('order-shows-active-first', WHOLE, [ORDER, SET, ACTIVATE], ORDERED, (context) => async (call, next) => {
    const reply = await next();
    if (!hit(call, ORDER) || !succeeded(reply)) return reply;
    const active = new Set(
      items(parsed(await context.send('GET', `/api${POLICY}?take=1000&filterActive=true`))).map(idOf),
    );
    const rank = (entry: unknown): number => (active.has(idOf(entry)) ? 0 : 1);
    return withJson(
      reply,
      withItems(
        parsed(reply),
        items(parsed(reply)).toSorted((a, b) => rank(a) - rank(b)),
      ),
    );
  }),
];

const named = (body: JsonMap): readonly string[] =>
  asList(body['results']).map((result) => str(asObject(result)['resultId']).toLowerCase());

const RUNS_AND_RESULTS: readonly Defect[] = [
  {
    ...stores('approval-of-last-only', [APPROVE], RESULTS[0] ?? '', (body) =>
      asList(body['results']).length > 1 ? { ...body, results: asList(body['results']).slice(-1) } : body,
    ),
    operations: [APPROVE, ...RESULTS],
    checks: ['approvals'],
  },
  row(
    'approval-of-none-approves-all',
    'an approval is of the results that it names (section 4)',
    [APPROVE, ...RESULTS],
    ['approvals'],
    at(
      where([APPROVE], (body) => Array.isArray(body['results']) && body['results'].length === 0),
      async (call, next, context) => {
        const reply = await next();
        if (succeeded(reply))
          await context.send('PUT', `${itself(call)}/bulk-result-approval-request`, {
            action: asObject(call.json)['action'],
          });
        return reply;
      },
    ),
  ),
  fails('approval-of-one-twice-500', [APPROVE], (body) => new Set(named(body)).size < named(body).length),
  failsRefusing('approval-action-unknown-500', [BULK, APPROVE], (body) => ![0, 1].includes(Number(body['action']))),
  row(
    'third-run-forgotten',
    'execution-queue queues a run now (section 4)',
    [RUN, RUNS],
    ['job-runs'],
    fresh(() =>
      forgets(RUN, after(2), () => ({
        ...problem(200),
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('{"jobProgressId":"5f0c1d2e-7a64-4b57-9f40-0d6f5a2b1c3d"}'),
      })),
    ),
  ),
  row('ended-run-opens-again', 'a run that ended stays ended (section 4)', [RUNS, RUN], ['job-runs'], () => {
    const ended = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, RUNS) || !succeeded(reply)) return reply;
      return withJson(
        reply,
        withItems(
          parsed(reply),
          items(parsed(reply)).map((run) => {
            const isKnown = ended.has(idOf(run));
            if (asObject(run)['completedAt'] !== null) ended.add(idOf(run));
            return isKnown ? { ...asObject(run), completedAt: null, state: 'Running' } : run;
          }),
        ),
      );
    };
  }),
  row(
    'bulk-approval-leaks-to-other-job',
    'the path names the job (section 4)',
    [BULK, RESULTS[0] ?? ''],
    ['approvals'],
    also(BULK, async (call, context) => {
      const jobs = items(parsed(await context.send('GET', '/api/aijob'))).map(idOf);
      for (const id of jobs.filter((each) => each !== mine(call)).slice(-3))
        await context.send('PUT', `/api/aijob/${id}/bulk-result-approval-request`, call.json);
    }),
  ),
  row(
    'approval-not-in-detail',
    'approvals move the state of results (section 3)',
    [APPROVE, BULK, ...RESULTS],
    ['approvals'],
    frozen(
      (call) => hit(call, RESULTS[1] ?? ''),
      (call) => call.path.toLowerCase(),
    ),
  ),
];

const LISTS: readonly Defect[] = [
  row(
    'agents-cut-names-in-list',
    'GET answers the agents (section 4)',
    ['GET /aiagent'],
    ['created-reads-back', 'query-styles'],
    replies('GET /aiagent', (reply) =>
      succeeded(reply)
        ? withJson(
            reply,
            withItems(
              parsed(reply),
              items(parsed(reply)).map((agent) => ({
                ...asObject(agent),
                name: str(asObject(agent)['name']).slice(0, 60),
              })),
            ),
          )
        : reply,
    ),
  ),
];

export const STATES: readonly Defect[] = [...POLICIES, ...ORDERS, ...RUNS_AND_RESULTS, ...LISTS];
