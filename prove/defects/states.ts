import type { Defect } from '../defect.ts';
import { hit, itemId, served } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asList, asObject, idOf } from '../proxy/json.ts';
import { empty, parsed, relisted, succeeded } from '../proxy/reply.ts';
import {
  createPolicy,
  exists,
  forgets,
  frozen,
  hiding,
  isActive,
  itemOf,
  moveTo,
  orderOf,
  pathOfItem,
} from './items.ts';
import { stateful } from '../operators/operator.ts';
import { lateReads } from '../healthy/timing.ts';
import type { Make, Reply } from '../proxy/message.ts';
import type { CheckName } from '../../spec/index.ts';
import { ACTIVATE, CREATE, DEACTIVATE, DELETE, LIST, READ, READ_JOB, SET, UPDATE, UPDATE_AGENT } from './operations.ts';
import { ACTIVATES, depends, GONE, LISTS_AGENTS, REFUSED, defect, SERVED, str, where } from './kit.ts';

const MODEL: readonly CheckName[] = ['activation', 'model-conformance', 'updated-reads-back', 'deleted-is-gone'];
const toggles: Make = at([ACTIVATE, DEACTIVATE]).handles(async (call, next, context) => {
  if (!(await exists(call, context))) return next();
  const active = await isActive(call, context);
  return active === hit(call, ACTIVATE)
    ? next({ path: `${pathOfItem(call)}/${active ? 'deactivate' : 'activate'}` })
    : next();
});

/** Each form caches the list of policies until a write through the same form. */
const listCachedPerForm: Make = frozen(
  (call) => hit(call, LIST),
  (call) => `${call.route?.form ?? ''} ${call.query}`,
  (call, known) => {
    if (call.method !== 'GET')
      for (const key of known.keys()) if (key.startsWith(`${call.route?.form ?? ''} `)) known.delete(key);
  },
);

/** The list selects by the state of policies, and shows the state before the last move. */
const listsFormerState = stateful(() => {
  const former = new Map<string, boolean>();
  return at([ACTIVATE, DEACTIVATE, LIST]).handles(async (call, next) => {
    const reply = await next();
    if (!succeeded(reply)) return reply;
    if (!hit(call, LIST)) former.set(itemId(call), hit(call, DEACTIVATE));
    return hit(call, LIST)
      ? relisted(reply, (list) =>
          list.map((item) => ({ ...asObject(item), isActive: former.get(idOf(item)) ?? asObject(item)['isActive'] })),
        )
      : reply;
  });
});

/** The list of agents is cached until one is created or deleted. */
const agentsCachedUntilCreated: Make = frozen(
  (call) => hit(call, 'GET /aiagent'),
  (call) => call.query,
  (call, known) => {
    if (hit(call, ['POST /aiagent', 'DELETE /aiagent/{id}'])) known.clear();
  },
);

/** Two nodes take turns in answering reads; one of them shows changes 600 ms late, after the other one showed them. */
const twoNodesOneBehind: Make = (context) => {
  const late = lateReads(600)(context);
  let turn = 0;
  return async (call, next) => {
    turn += 1;
    const behind = await late(call, next);
    return call.method === 'GET' && turn % 2 !== 0 ? next() : behind;
  };
};

/** Deletions only hide; the activation of another policy brings back what they hid. */
const hiddenUntilActivation: Make = () => {
  const hidden = new Set<string>();
  return async (call, next) => {
    const isHidden = hidden.has(itemId(call)) && served(call);
    if (hit(call, DELETE) && served(call)) {
      if (isHidden || !succeeded(await next({ method: 'GET' }))) return empty(404);
      hidden.add(itemId(call));
      return empty();
    }
    if (call.method !== 'GET' && isHidden) return empty(404);
    const reply = await next();
    if (succeeded(reply) && hit(call, ACTIVATE)) hidden.clear();
    return hiding(hidden, call, reply);
  };
};

/** States and life cycles of policies and agents. */
export const STATES: readonly Defect[] = [
  defect('refused-update-deactivates', REFUSED, [UPDATE, LIST, READ], ['refused-changes-nothing']).by(
    at(where([UPDATE])).thoughRefused(async (call, context) => {
      if (await isActive(call, context)) await moveTo(context, itemId(call), 'deactivate');
    }),
  ),
  defect('deleted-policy-readable-by-its-id-in-capitals', GONE, [DELETE, READ], ['deleted-is-gone']).by(() => {
    const last = new Map<string, Reply>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, READ) || !served(call)) return reply;
      if (succeeded(reply)) last.set(itemId(call), reply);
      return reply.status === 404 && /[A-F]/.test(call.path) ? (last.get(itemId(call)) ?? reply) : reply;
    };
  }),
  defect(
    'refused-deletion-empties-the-agent',
    REFUSED,
    ['DELETE /aiagent/{id}', 'GET /aiagent/{id}'],
    ['refused-changes-nothing'],
  ).by(
    at('DELETE /aiagent/{id}').handles(async (call, next, context) => {
      const jobs = served(call) ? await listAt(context, '/api/aijob') : [];
      if (!jobs.some((job) => str(asObject(job)['aiAgentId']).toLowerCase() === itemId(call))) return next();
      const { name } = await itemOf(call, context);
      await context.send('PUT', pathOfItem(call), { name, description: '', instructions: '', metadata: {} });
      return empty(409);
    }),
  ),
  defect(
    'refused-deletion-empties-an-updated-agent',
    REFUSED,
    ['DELETE /aiagent/{id}', 'GET /aiagent/{id}'],
    ['refused-changes-nothing'],
  ).by(
    at(where(['DELETE /aiagent/{id}'])).thoughRefused(async (call, context) => {
      const { name, modifiedAt } = await itemOf(call, context);
      if (typeof modifiedAt === 'string')
        await context.send('PUT', pathOfItem(call), { name, description: '', instructions: '', metadata: {} });
    }),
  ),
  defect(
    'refused-deletion-of-an-agent-deletes-its-job',
    REFUSED,
    ['DELETE /aiagent/{id}'],
    ['refused-changes-nothing'],
  ).by(
    at(where(['DELETE /aiagent/{id}'])).thoughRefused(async (call, context) => {
      const jobs = await listAt(context, '/api/aijob');
      const user = jobs.find((job) => str(asObject(job)['aiAgentId']).toLowerCase() === itemId(call));
      if (user !== undefined) await context.send('DELETE', `/api/aijob/${idOf(user)}`);
    }),
  ),
  defect('same-update-again-500', SERVED, [UPDATE, UPDATE_AGENT], ['no-server-error']).by(
    stateful(() => {
      const last = new Map<string, string>();
      return at(where([UPDATE, UPDATE_AGENT])).handles(async (call, next) => {
        const reply = await next();
        const isSame = last.get(itemId(call)) === call.body.toString();
        if (succeeded(reply)) last.set(itemId(call), call.body.toString());
        return succeeded(reply) && isSame ? empty(500) : reply;
      });
    }),
  ),
  defect('job-of-a-deleted-agent-500', SERVED, [READ_JOB], ['no-server-error']).by(() => {
    const hidden = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      const isDeletion = hit(call, 'DELETE /aiagent/{id}') && served(call);
      if (isDeletion && reply.status === 400) hidden.add(itemId(call));
      if (isDeletion && hidden.has(itemId(call))) return empty();
      const isOfDeleted = hit(call, READ_JOB) && hidden.has(str(asObject(parsed(reply))['aiAgentId']).toLowerCase());
      return isOfDeleted ? empty(500) : hiding(hidden, call, reply);
    };
  }),
  ...(['description', 'name'] as const).map((member) =>
    defect(`refused-update-stores-the-${member}`, REFUSED, [UPDATE, READ], ['refused-changes-nothing']).by(
      at(where([UPDATE])).thoughRefused(async (call, context) => {
        const value = asObject(call.json)[member];
        if (typeof value === 'string')
          await context.send('PUT', pathOfItem(call), { ...(await itemOf(call, context)), [member]: value });
      }),
    ),
  ),
  defect('activation-toggles', ACTIVATES, [ACTIVATE, DEACTIVATE, LIST, READ], MODEL).by(toggles),
  defect('order-activates-its-first', ACTIVATES, [SET, LIST, READ], ['activation', 'model-conformance']).by(
    at(SET).also(async (_, context) => moveTo(context, idOf((await orderOf(context))[0]), 'activate')),
  ),
  defect(
    'two-nodes-show-old-again',
    'what was updated reads back (section 4); once seen, it stays seen',
    [UPDATE, READ],
    ['updated-reads-back', 'deleted-is-gone', 'json-patch', 'form-shared-state'],
  ).by(twoNodesOneBehind),
  defect('update-of-active-forgotten', 'PUT stores the policy (section 4)', [UPDATE, READ], MODEL).by(
    forgets(UPDATE, isActive),
  ),
  depends('update-of-active-loses-rules', UPDATE, (body, { isActive }) =>
    isActive === true && asList(body['rules']).length > 0 ? { ...body, rules: [] } : undefined,
  ),
  defect('list-shows-former-state', ACTIVATES, [LIST], ['activation']).by(listsFormerState),
  defect('deletion-of-active-forgotten', GONE, [DELETE, READ, LIST], MODEL).by(forgets(DELETE, isActive)),
  defect('agent-list-cached-until-created', LISTS_AGENTS, ['GET /aiagent', UPDATE_AGENT], ['updated-reads-back']).by(
    agentsCachedUntilCreated,
  ),
  defect(
    'list-cached-per-form',
    'both forms behave the same (section 4)',
    [LIST, ACTIVATE, DEACTIVATE, UPDATE, DELETE, CREATE],
    [...MODEL, 'form-shared-state', 'filters'],
  ).by(listCachedPerForm),
  defect(
    'list-ends-after-24',
    'take: items per page (section 8)',
    [LIST, CREATE],
    ['paging-partition', 'paging-defaults', 'filters', 'ordering'],
  ).by(
    at({ op: LIST, when: ({ search }) => !search.has('searchName') }).relists((list, call) => {
      const before = Number(call.search.get('page') ?? 0) * Number(call.search.get('take') ?? 20);
      return list.slice(0, Math.max(0, 24 - before));
    }),
  ),
  defect('deleted-back-after-another-activation', GONE, [DELETE, ACTIVATE, READ, LIST], MODEL).by(
    hiddenUntilActivation,
  ),
  defect('policy-created-though-refused', REFUSED, [CREATE, LIST], ['refused-changes-nothing']).by(
    at(where([CREATE])).thoughRefused(async (call, context) => {
      const { name } = asObject(call.json);
      if (typeof name === 'string') await createPolicy(context, { name });
    }),
  ),
];
