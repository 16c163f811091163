import type { Defect } from '../defect.ts';
import { hit, itemId, withBody } from '../proxy/call.ts';
import type { OperationId } from '../proxy/call.ts';
import { at, listAt } from '../proxy/handler.ts';
import { asList, asObject, idOf, items } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { json, parsed, problem, relisted, succeeded } from '../proxy/reply.ts';
import type { Make } from '../proxy/message.ts';
import { after, forgets, frozen, itemOf, pathOfItem } from './items.ts';
import { stateful } from '../operators/operator.ts';
import { fails, failsRefusing, FORMS, REFUSED, defect, SERVED, stores, str, warningDefect, where } from './kit.ts';
import { APPROVE, BULK, CHAT, CHATS, DRY_RUN, QUEUE, READ_JOB, RESULT, RESULTS, RUNS, STREAM } from './operations.ts';

const OF_NAMED = 'an approval is of the results that it names (section 4)';
const QUEUES = 'execution-queue queues a run now (section 4)';
const SHOWN = [RESULTS, RESULT] as const;

/** Ids of the results that an approval names. */
const named = (body: JsonMap): readonly string[] =>
  asList(body['results']).map((result) => str(asObject(result)['resultId']).toLowerCase());

/** Answers 500 to an approval, whether or not its results exist, whose overrides meet the condition. */
const overrideFails = (name: string, test: (operations: readonly unknown[]) => boolean): Defect =>
  defect(name, SERVED, [APPROVE], ['no-server-error']).by(
    at(
      where([APPROVE], ({ results }) =>
        test(asList(results).flatMap((each) => asList(asObject(each)['userOverride']))),
      ),
    ).handles(() => problem(500)),
  );

/** Answers a list below an item as for the first path below it that had entries. */
const firstPath = (operation: OperationId): Make =>
  stateful(() => {
    const first = new Map<string, string>();
    return at(operation).handles(async (call, next) => {
      const reply = await next();
      if (!succeeded(reply) || items(parsed(reply)).length === 0) return reply;
      if (!first.has(itemId(call))) first.set(itemId(call), call.path);
      const other = await next({ path: first.get(itemId(call)) ?? call.path });
      return succeeded(other) ? other : reply;
    });
  });

/** Answers with the first value other than 0 that was shown in a part of the responses with that place in their path. */
const remembered = (
  operation: OperationId,
  valueIn: (body: unknown) => unknown,
  change: (body: unknown, value: unknown) => unknown,
  keyOf: (path: string) => string = (path) => path,
): Make =>
  stateful(() => {
    const first = new Map<string, unknown>();
    return at(where([operation])).rewrites((body, call) => {
      const key = keyOf(call.path.toLowerCase());
      const value = valueIn(body);
      if (!first.has(key) && value !== 0) first.set(key, value);
      return first.has(key) ? change(body, first.get(key)) : body;
    });
  });

/** Shows results as pending some time after they were decided. */
const undone: Make = () => {
  const decided = new Map<string, number>();
  return async (call, next) => {
    const reply = await next();
    if (!succeeded(reply)) return reply;
    if (hit(call, APPROVE)) for (const id of named(asObject(call.json))) decided.set(id, performance.now());
    const isUndone = (result: unknown): boolean =>
      performance.now() - (decided.get(idOf(result)) ?? performance.now()) > 300;
    if (!hit(call, RESULTS)) return reply;
    return relisted(reply, (list) =>
      list.map((each) => (isUndone(each) ? { ...asObject(each), state: 'Pending' } : each)),
    );
  };
};

export const RUNS_AND_RESULTS: readonly Defect[] = [
  {
    ...stores('approval-of-first-four-only', [APPROVE], (body) =>
      asList(body['results']).length > 4 ? { ...body, results: asList(body['results']).slice(0, 4) } : body,
    ),
    operations: [APPROVE, ...SHOWN],
    checks: ['approvals'],
  },
  defect('approval-of-none-approves-all', OF_NAMED, [APPROVE, ...SHOWN], ['approvals']).by(
    at(where([APPROVE], (body) => Array.isArray(body['results']) && body['results'].length === 0)).also(
      (call, context) =>
        context.send('PUT', `${pathOfItem(call)}/bulk-result-approval-request`, {
          action: asObject(call.json)['action'],
        }),
    ),
  ),
  // A warning: that an approval changes the state of results is inferred.
  warningDefect('approvals-undone-after-300-ms', OF_NAMED, [APPROVE, RESULTS], ['approvals']).by(undone),
  defect(
    'approval-of-other-job-refused-but-made',
    REFUSED,
    [APPROVE, ...SHOWN],
    ['approvals', 'refused-changes-nothing'],
  ).by(
    at(where([APPROVE])).thoughRefused(async (call, context) => {
      const [id] = named(asObject(call.json));
      for (const job of id === undefined ? [] : (await listAt(context, '/api/aijob')).map(idOf)) {
        const path = `/api/aijob/${job}/results/${call.route?.params['type'] ?? ''}`;
        if ((await listAt(context, `${path}?pageSize=100`)).some((each) => idOf(each) === id))
          await context.send('POST', `${path}/approvals`, call.json);
      }
    }),
  ),
  defect('run-is-of-another-job-with-the-same-name', QUEUES, [QUEUE, RUNS], ['job-runs']).by(
    at(QUEUE).handles(async (call, next, context) => {
      const own = await itemOf(call, context);
      const jobs = (await listAt(context, '/api/aijob?pageSize=1000')).map(asObject);
      const other = jobs.find(({ id, name }) => name === own['name'] && id !== own['id']);
      return next(other && { path: call.path.replace(itemId(call), str(other['id'])) });
    }),
  ),
  defect('run-clears-the-prompt', QUEUES, [QUEUE, READ_JOB], ['dry-run']).by(
    at(QUEUE).also((call, context) =>
      context.send('PATCH', pathOfItem(call), [{ op: 'replace', path: '/prompt', value: '' }]),
    ),
  ),
  defect(
    'dry-run-saves-the-description-of-an-enabled-job',
    'dry-run takes UpdateAiJobModel, and stores nothing (section 4)',
    [DRY_RUN, READ_JOB],
    ['dry-run'],
  ).by(
    at(DRY_RUN).also(async (call, context) => {
      if ((await itemOf(call, context))['enabled'] !== true) return;
      const { description } = asObject(call.json);
      await context.send('PATCH', pathOfItem(call), [{ op: 'replace', path: '/description', value: description }]);
    }),
  ),
  defect('rejection-approves-in-one-form', FORMS, [APPROVE, ...SHOWN], ['approvals']).by(
    at(where([APPROVE], (body) => body['action'] === 1, '/api')).requests((call) =>
      withBody({ ...asObject(call.json), action: 0 }),
    ),
  ),
  overrideFails('approval-with-over-20-overrides-500', (all) => all.length > 20),
  overrideFails('approval-override-with-backslash-500', (all) =>
    all.some((one) => str(asObject(one)['value']).includes('\\')),
  ),
  fails('approval-of-one-twice-500', [APPROVE], (body) => new Set(named(body)).size < named(body).length),
  failsRefusing('approval-action-unknown-500', [BULK, APPROVE], (body) => ![0, 1].includes(Number(body['action']))),
  defect('third-run-forgotten', QUEUES, [QUEUE, RUNS], ['job-runs']).by(
    stateful(() => forgets(QUEUE, after(2), () => json({ jobProgressId: '5f0c1d2e-7a64-4b57-9f40-0d6f5a2b1c3d' }))),
  ),
  defect('ended-run-opens-again', 'a run that ended stays ended (section 4)', [RUNS, QUEUE], ['job-runs']).by(() => {
    const ended = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, RUNS) || !succeeded(reply)) return reply;
      return relisted(reply, (list) =>
        list.map((run) => {
          const isKnown = ended.has(idOf(run));
          if (asObject(run)['completedAt'] !== null) ended.add(idOf(run));
          return isKnown ? { ...asObject(run), completedAt: null, state: 'Running' } : run;
        }),
      );
    };
  }),
  defect('runs-share-chats', 'the path names the run (section 4)', [CHATS], ['job-ownership']).by(firstPath(CHATS)),
  defect('chats-of-later-runs-404', SERVED, [CHAT], ['job-ownership']).by(
    at(where([CHAT])).handles(async (call, next, context) => {
      const runs = (await listAt(context, call.path.replace(/\/[^/]+\/chats\/[^/]+$/, '?pageSize=50'))).map(idOf);
      return runs.indexOf(str(call.route?.params['runId']).toLowerCase()) > 0 ? problem(404) : next();
    }),
  ),
  warningDefect('results-never-listed', 'the path names the type (section 4)', [RESULTS], ['filters']).by(
    at(where([RESULTS])).rewrites((value) => ({ ...asObject(value), totalCount: 0, totalPages: 0, data: [] })),
  ),
  defect('results-of-one-type', 'the path names the type (section 4)', [RESULTS], ['filters']).by(firstPath(RESULTS)),
  defect('bulk-approval-leaks-to-other-job', 'the path names the job (section 4)', [BULK, RESULTS], ['approvals']).by(
    at(BULK).also(async (call, context) => {
      const jobs = (await listAt(context, '/api/aijob')).map(idOf);
      for (const id of jobs.filter((each) => each !== itemId(call)).slice(-3))
        await context.send('PUT', `/api/aijob/${id}/bulk-result-approval-request`, call.json);
    }),
  ),
  warningDefect(
    'chat-with-the-output-of-the-first',
    'reading a chat answers the chat (section 4)',
    [CHAT],
    ['own-id'],
  ).by(
    remembered(
      CHAT,
      (chat) => asObject(chat)['output'],
      (chat, output) => ({ ...asObject(chat), output }),
      (path) => path.replace(/\/[^/]+$/, ''),
    ),
  ),
  defect('results-search-misses-the-first', 'searchName selects results (section 4)', [RESULTS], ['filters']).by(
    at(
      where([RESULTS], (_, { search }) => search.has('searchName') && Number(search.get('pageNumber') ?? 1) === 1),
    ).relists((list) => list.slice(list.length > 1 ? 1 : 0)),
  ),
  warningDefect(
    'runs-counted-once',
    'totalCount is the number of items (platform.md)',
    [QUEUE, RUNS],
    ['published-behaviour'],
  ).by(
    remembered(
      RUNS,
      (page) => asObject(page)['totalCount'],
      (page, totalCount) => ({ ...asObject(page), totalCount }),
    ),
  ),
  defect(
    'approval-not-in-detail',
    'approvals move the state of results (section 3)',
    [APPROVE, BULK, ...SHOWN],
    ['approvals'],
  ).by(
    frozen(
      (call) => hit(call, RESULT),
      (call) => call.path.toLowerCase(),
    ),
  ),
  defect('stream-with-the-chats-of-every-job', 'the path names the job (section 4)', [STREAM], ['job-ownership']).by(
    at(where([STREAM], (_, { query }) => query === '')).rewrites(async (_own, _call, context) => {
      const jobs = (await listAt(context, '/api/aijob')).map(idOf);
      const streams = await Promise.all(jobs.map((id) => listAt(context, `/api/aijob/${id}/chatstream`)));
      return streams.flat().map((each, offset) => ({ ...asObject(each), offset }));
    }),
  ),
  defect('approval-of-a-decided-result-500', SERVED, [APPROVE], ['no-server-error']).by(
    at(where([APPROVE])).handles(async (call, next, context) => {
      const all = await listAt(context, call.path.replace(/\/approvals$/, '?pageSize=500'));
      const open = new Set(all.filter((each) => asObject(each)['state'] === 'Pending').map(idOf));
      const isDecided = (id: string): boolean => all.some((each) => idOf(each) === id) && !open.has(id);
      return named(asObject(call.json)).some(isDecided) ? problem(500) : next();
    }),
  ),
  defect('approval-of-a-result-of-an-earlier-run-404', SERVED, [APPROVE], ['valid-request-served']).by(
    at(where([APPROVE])).handles(async (call, next, context) => {
      const latest = idOf((await listAt(context, `${pathOfItem(call)}/runs?pageSize=100`)).at(-1));
      const listed = await listAt(context, call.path.replace(/\/approvals$/, '?pageSize=500'));
      const earlier = listed.filter((each) => asObject(each)['runId'] !== latest).map(idOf);
      return named(asObject(call.json)).some((id) => earlier.includes(id)) ? problem(404) : next();
    }),
  ),
  defect('approval-of-a-result-past-the-first-ten-404', SERVED, [APPROVE], ['valid-request-served']).by(
    at(where([APPROVE])).handles(async (call, next, context) => {
      const page = await listAt(context, call.path.replace(/\/approvals$/, '?pageSize=10'));
      const first = new Set(page.map(idOf));
      const all = await listAt(context, call.path.replace(/\/approvals$/, '?pageSize=500'));
      const later = new Set(all.map(idOf).filter((id) => !first.has(id)));
      return named(asObject(call.json)).some((id) => later.has(id)) ? problem(404) : next();
    }),
  ),
];
