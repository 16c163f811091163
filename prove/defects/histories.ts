import type { Defect } from '../defect.ts';
import { asFull, hit, itemId, withQuery } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { at, itemAt, listAt, wait } from '../proxy/handler.ts';
import { asObject, idOf } from '../proxy/json.ts';
import { empty, parsed, problem, relisted, succeeded } from '../proxy/reply.ts';
import type { Context, Make, Reply } from '../proxy/message.ts';
import { after, exists, frozen, isActive, itemOf, pathOfItem, POLICIES_PATH } from './items.ts';
import { stateful } from '../operators/operator.ts';
import { fails, FORMS, GONE, LISTS_AGENTS, LISTS_JOBS, defect, SERVED, str, warningDefect, where } from './kit.ts';
import {
  ACTIVATE,
  AUDIT_MANY,
  BULK,
  CHAT,
  DEACTIVATE,
  DELETE_JOB,
  LIST,
  LIST_JOBS,
  QUEUE,
  READ,
  READ_AGENT,
  RESULT,
  RESULTS,
  RUN_RESULTS,
  RUNS,
  STREAM,
  UPDATE_JOB,
} from './operations.ts';

const OBJECT_IDS = 'objectIds is an array of uuid strings (section 4)';
const [AGENT, NEW_AGENT, JOB] = ['DELETE /aiagent/{id}', 'POST /aiagent', DELETE_JOB] as const;
const [LIST_AGENTS, ACTIONS] = ['GET /aiagent', 'GET /accesscontrolpolicies/actions'] as const;
const DELETES_ONE = 'a deletion is of the item with that id (section 4)';

/** The list of active policies keeps those that were deactivated. */
const keepsDeactivated: Make = (context) => {
  const kept = new Set<string>();
  return async (call, next) => {
    const wasActive = hit(call, DEACTIVATE) && (await isActive(call, context));
    const reply = await next();
    if (!succeeded(reply) || call.role !== 'full') return reply;
    if (wasActive) kept.add(itemId(call));
    if (hit(call, ACTIVATE)) kept.delete(itemId(call));
    if (!hit(call, LIST) || call.search.get('filterActive') !== 'true' || call.search.has('searchName')) return reply;
    const found = await Promise.all([...kept].map((id) => context.send('GET', `${POLICIES_PATH}/${id}`)));
    const more = found.filter((each) => succeeded(each)).map(parsed);
    return Number(call.search.get('page') ?? 0) > 0 ? reply : relisted(reply, (list) => [...more, ...list]);
  };
};

/** Shows all results of a job as pending after its second bulk approval. */
const secondBulkUndoes: Make = () => {
  const [isAgain, undone] = [after(1), new Set<string>()];
  return async (call, next) => {
    const reply = await next();
    if (!succeeded(reply)) return reply;
    if (hit(call, BULK) && isAgain(call)) undone.add(itemId(call));
    return hit(call, [RESULTS, RUN_RESULTS]) && undone.has(itemId(call))
      ? relisted(reply, (list) => list.map((each) => ({ ...asObject(each), state: 'Pending' })))
      : reply;
  };
};

/** Lists the runs of a job no longer after its update. */
const updateRemovesRuns: Make = (context) => {
  const removed = new Set<string>();
  return async (call, next) => {
    const reply = await next();
    if (!succeeded(reply)) return reply;
    if (hit(call, UPDATE_JOB))
      for (const run of await listAt(context, `${pathOfItem(call)}/runs?pageSize=100`)) removed.add(idOf(run));
    return hit(call, RUNS) ? relisted(reply, (list) => list.filter((run) => !removed.has(idOf(run)))) : reply;
  };
};

/** Reads only the chats that are on the first page of their list. */
const chatOnFirstPage: Make = at(where([CHAT])).successes(async (reply, call, context) => {
  const first = (await listAt(context, call.path.slice(0, call.path.lastIndexOf('/')))).map(idOf);
  return first.includes(str(call.route?.params['chatId']).toLowerCase()) ? reply : empty(404);
});

/** Creating an agent with the name of a deleted one is answered with 500. */
const namesTaken: Make = (context) => {
  const gone = new Set<string>();
  return async (call, next) => {
    if (call.role !== 'full') return next();
    if (hit(call, NEW_AGENT) && gone.has(str(asObject(call.json)['name']))) return problem(500);
    const name = hit(call, AGENT) ? str((await itemOf(call, context))['name']) : '';
    const reply = await next();
    if (name !== '' && succeeded(reply)) gone.add(name);
    return reply;
  };
};

/** Creations with the same body that overlap are answered with one agent. */
const equalAtOnce: Make = (context) => {
  const pending = new Map<string, Promise<Reply>>();
  return at(where([NEW_AGENT])).handles((call, next) => {
    const body = call.body.toString();
    const reply = pending.get(body) ?? wait(8).then(() => next());
    pending.set(body, reply);
    return reply.finally(() => pending.delete(body));
  })(context);
};

/** A deletion also deletes agents. */
const alsoDeletes = (
  op: OperationId,
  others: (item: Record<string, unknown>, context: Context) => Promise<string[]>,
): Make =>
  at(op).handles(async (call, next, context) => {
    const item = (await exists(call, context)) ? await itemOf(call, context) : {};
    const reply = await next();
    if (!succeeded(reply) || call.role !== 'full') return reply;
    for (const id of await others(item, context)) await context.send('DELETE', `/api/aiagent/${id}`);
    return reply;
  });

const agentsNamed = async (name: unknown, context: Context): Promise<string[]> =>
  (await listAt(context, '/api/aiagent')).filter((agent) => asObject(agent)['name'] === name).map(idOf);

/** While an agent is deleted, the list lacks the one after it. */
const skipsNext: Make = (context) => {
  const skipped = new Map<string, string>();
  return async (call, next) => {
    if (call.role === 'full' && hit(call, AGENT)) {
      const ids = (await listAt(context, '/api/aiagent')).map(idOf);
      skipped.set(itemId(call), ids[ids.indexOf(itemId(call)) + 1] ?? '');
      const reply = await wait(5).then(() => next());
      await wait(5);
      skipped.delete(itemId(call));
      return reply;
    }
    const reply = await next();
    const lacking = new Set(skipped.values());
    return hit(call, LIST_AGENTS) && succeeded(reply)
      ? relisted(reply, (list) => list.filter((each) => !lacking.has(idOf(each))))
      : reply;
  };
};

const emptyAtTimes: Make = stateful(() => {
  let count = 0;
  return at(where([LIST_AGENTS])).relists((list) => {
    count += 1;
    return count % 40 === 0 ? [] : list;
  });
});

/** One form caches the runs of a job until a write to that job through the same form. */
const runsCachedInOneForm: Make = frozen(
  (call) => hit(call, { op: RUNS, form: '/api' }),
  (call) => `${itemId(call)} ${call.query}`,
  (call, known) => {
    if (call.method !== 'GET' && call.route?.form === '/api')
      for (const key of known.keys()) if (key.startsWith(`${itemId(call)} `)) known.delete(key);
  },
);

/** A chat stream that was read once stays readable after its job is deleted. */
const keepsStreams: Make = () => {
  const known = new Map<string, Reply>();
  return async (call, next) => {
    const reply = await next();
    if (!hit(call, STREAM)) return reply;
    const key = `${call.path} ${call.query}`;
    if (succeeded(reply)) known.set(key, reply);
    return reply.status === 404 ? (known.get(key) ?? reply) : reply;
  };
};

/** Defects that depend on earlier requests, or on other items. */
export const HISTORIES: readonly Defect[] = [
  defect('jobs-of-one-name-listed-once', LISTS_JOBS, [LIST_JOBS], ['created-reads-back']).by(
    at(where([LIST_JOBS])).relists((list) => {
      const names = list.map((each) => asObject(each)['name']);
      return list.filter((_, at) => names.indexOf(names[at]) === at);
    }),
  ),
  defect(
    'approved-results-not-readable',
    'the detail of a listed result is readable (section 4)',
    [RESULT, RESULTS],
    ['approvals', 'job-runs'],
  ).by(at(where([RESULT])).replies((reply) => (asObject(parsed(reply))['state'] === 'Approved' ? empty(404) : reply))),
  defect(
    'filter-keeps-deactivated',
    'filterActive selects by the state (section 3)',
    [LIST, DEACTIVATE],
    ['filters', 'activation'],
  ).by(keepsDeactivated),
  defect('active-policy-open-to-limited', '403 without the permission (section 5)', [READ], ['authorisation']).by(
    at({ op: READ, when: ({ role }) => role === 'limited' }).handles(async (call, next, context) =>
      (await isActive(call, context)) ? next(asFull(call, context)) : next(),
    ),
  ),
  // A warning: that the list stays as it is, is inferred.
  warningDefect(
    'actions-empty-after-20-requests',
    'the list holds the rule actions (section 4)',
    [ACTIONS],
    ['published-behaviour'],
  ).by(
    stateful(() => {
      const isLate = after(20);
      return at(where([ACTIONS], (_, call) => isLate(call))).replies((reply) => relisted(reply, () => []));
    }),
  ),
  defect('chat-on-second-page-404', SERVED, [CHAT], ['job-ownership']).by(chatOnFirstPage),
  defect('results-searched-in-every-state', 'state filters the results (section 3)', [RESULTS], ['filters']).by(
    at(where([RESULTS], (_, { search }) => search.has('searchName'))).requests((call) =>
      withQuery(call, { state: undefined }),
    ),
  ),
  defect('agents-deleted-by-name', DELETES_ONE, [AGENT], ['deleted-is-gone']).by(
    alsoDeletes(AGENT, (item, context) => agentsNamed(item['name'], context)),
  ),
  defect('agents-after-a-deleted-one-unlisted-meanwhile', LISTS_AGENTS, [LIST_AGENTS, AGENT], ['overlap']).by(
    skipsNext,
  ),
  defect(
    'equal-creations-at-once-make-one-agent',
    'POST /aiagent creates an agent (section 4)',
    [NEW_AGENT],
    ['overlap', 'created-reads-back'],
  ).by(equalAtOnce),
  defect('names-of-deleted-agents-taken-500', SERVED, [NEW_AGENT], ['no-server-error']).by(namesTaken),
  defect('deleted-job-takes-its-agent', DELETES_ONE, [JOB], ['deleted-is-gone']).by(
    alsoDeletes(JOB, (item) => Promise.resolve([str(item['aiAgentId'])])),
  ),
  fails('audit-of-many-objects-500', [AUDIT_MANY], (_, { search }) => search.getAll('objectIds').length > 10),
  defect('audit-of-one-object-empty', OBJECT_IDS, [AUDIT_MANY], ['query-styles']).by(
    at(where([AUDIT_MANY], (_, { search }) => search.getAll('objectIds').length === 1)).replies((reply) =>
      relisted(reply, () => []),
    ),
  ),
  defect('audit-drops-third-of-object-ids', OBJECT_IDS, [AUDIT_MANY], ['query-styles']).by(
    at(where([AUDIT_MANY])).requests(({ search }) => {
      let count = 0;
      const isKept = ([name]: readonly [string, string]): boolean => name !== 'objectIds' || (count += 1) !== 3;
      return { query: new URLSearchParams([...search].filter(isKept)).toString() };
    }),
  ),
  defect('each-40th-list-of-agents-empty', LISTS_AGENTS, [LIST_AGENTS], ['created-reads-back']).by(emptyAtTimes),
  defect('stream-of-deleted-job-kept', GONE, [STREAM], ['deleted-is-gone']).by(keepsStreams),
  defect('runs-cached-in-one-form', FORMS, [RUNS, QUEUE], ['job-runs']).by(runsCachedInOneForm),
  warningDefect(
    'second-bulk-approval-undoes-the-first',
    'a bulk approval decides the results (section 4)',
    [BULK, RESULTS],
    ['approvals'],
  ).by(secondBulkUndoes),
  warningDefect(
    'job-update-removes-its-runs',
    'an update is of the job (section 4)',
    [UPDATE_JOB, RUNS],
    ['job-runs'],
  ).by(updateRemovesRuns),
  warningDefect(
    'job-creation-clears-metadata-of-its-agent',
    'a creation is of the job (section 4)',
    ['POST /aijob', READ_AGENT],
    ['created-reads-back'],
  ).by(
    at('POST /aijob').also(async (call, context) => {
      const path = `/api/aiagent/${str(asObject(call.json)['aiAgentId'])}`;
      const agent = await itemAt(context, path);
      if ('metadata' in agent) await context.send('PUT', path, { ...agent, metadata: {} });
    }),
  ),
];
