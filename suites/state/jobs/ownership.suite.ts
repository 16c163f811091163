import { freshAgent } from '../../../domain/builtin/agents.ts';
import { freshJob, prepareRun } from '../../../domain/builtin/jobs.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';
import type { OperationRole } from '../../../domain/builtin/operations.ts';
import { makeRanJob, ranJob, resultType } from '../../../domain/builtin/runs.ts';
import type { RanJob } from '../../../domain/builtin/runs.ts';
import { ifSkipped, readUntil } from '../../../domain/context.ts';
import { idOf, itemsIn, keyOf, memberOf, sameId } from '../../../domain/items.ts';
import { isObject, isServed, isSuccess } from '../../../spec/index.ts';
import type { Exchange, Form, Json, Operation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { openSession } from '../../kit/session.ts';
import { reportViolation, violationOf } from '../../kit/violation.ts';
import { defineForRole } from '../define.ts';
import { checkTypes } from './types.ts';

const session = await openSession();

/** Page size that is larger than the lists of the test. */
const LONG = 100;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

const base = { suite: 'state/jobs/ownership', effects: ['reversible', 'costly', 'read'] as const, isAwaited: true };

defineForRole(session, 'chat', {
  ...base,
  title: 'runs, chats and results are readable under their own job and run only',
  checks: ['job-ownership'],
  requirements: [
    'errors.not-found',
    'chats.read',
    'results.read',
    'results.of-run',
    'runs.list',
    'results.list',
    'chats.stream',
  ],
  run: async (t, { form }) => {
    const ran = await ranJob(t);
    const { id: otherJob } = await freshJob(t, 'stranger');
    await checkLists(t, form, ran.jobId, otherJob);
    const otherRan = await makeRanJob(t, 1).catch(ifSkipped);
    if (otherRan !== undefined) await checkLists(t, form, ran.jobId, otherRan.jobId);
    await checkJobs(t, form, ran, otherJob);
    await checkTypes(t, form, ran);
    await checkRuns(t, form, ran);
    await checkLast(t, form, ran);
  },
});

/** The last chat of the first and of the last run, and the last result, must be readable, as the first ones are. */
async function checkLast(t: TestContext, form: Form, { jobId, runIds }: RanJob): Promise<void> {
  const [type, runs] = [await resultType(t), new Set([runIds[0] ?? '', runIds.at(-1) ?? ''])];
  for (const [listRole, role, path, idName] of [
    ...[...runs].map((runId) => ['chats', 'chat', { jobId, runId }, 'chatId'] as const),
    ['results', 'result', { id: jobId, type }, 'resultId'],
  ] as const) {
    const operation = operationOf(t, role);
    const list = await t.send(operationOf(t, listRole), {
      form,
      path,
      query: { pageSize: LONG },
      label: 'a long page',
    });
    const id = idOf(itemsIn(list)?.at(-1), idName);
    if (id === undefined) continue;
    await t.holds(async (t) => {
      const seen = await t.send(operation, { form, path: { ...path, [idName]: id }, label: 'read the last one' });
      const shown = idOf(seen.response?.json, idName);
      if (seen.response === undefined || seen.response.status >= 500) return undefined;
      if (isServed(seen) && (shown === undefined || sameId(shown, id))) return undefined;
      return violationOf('job-ownership/not-readable', operation, {
        requirement: role === 'chat' ? 'chats.read' : 'results.read',
        expected: `${id}, the last one in the list`,
        received: isServed(seen) ? `${shown}` : `status ${seen.response.status}`,
        exchanges: [list, seen],
      });
    });
  }
}

/** Runs, chats and results of a job must not be readable under another job or run. */
async function checkJobs(t: TestContext, form: Form, { jobId, runIds }: RanJob, otherJob: string): Promise<void> {
  const [runId = '', otherRun] = runIds;
  const own = 'under its own job';
  const chats = await t.send(operationOf(t, 'chats'), { form, path: { jobId, runId }, label: own });
  const results = await t.send(operationOf(t, 'runResults'), { form, path: { id: jobId, runId }, label: own });
  const chatId = idOf(itemsIn(chats)?.[0], 'chatId');
  const type = memberOf(itemsIn(results)?.[0], 'type');
  const resultId = typeof type === 'string' ? await anyResultId(t, form, { id: jobId, type }) : undefined;
  const foreign: [role: OperationRole, path: Record<string, string>, own: readonly Exchange[]][] = [
    ['chats', { jobId: otherJob, runId }, [chats]],
    ['runResults', { id: otherJob, runId }, [results]],
  ];
  if (chatId !== undefined) {
    // Read first under its own job: a cache may then answer for another one.
    const chat = await t.send(operationOf(t, 'chat'), { form, path: { jobId, runId, chatId }, label: own });
    foreign.push(['chat', { jobId: otherJob, runId, chatId }, [chats, chat]]);
    if (otherRun !== undefined) foreign.push(['chat', { jobId, runId: otherRun, chatId }, [chats, chat]]);
  }
  if (resultId !== undefined && typeof type === 'string')
    foreign.push(['result', { id: otherJob, type, resultId }, [results]]);
  for (const [role, path, readable] of foreign) {
    const operation = operationOf(t, role);
    const seen = await t.send(operation, { form, path, label: 'under another job or run' });
    const status = seen.response?.status ?? 0;
    if (!isSuccess(status) || itemsIn(seen)?.length === 0) continue;
    const isOwnJob = path['jobId'] === jobId;
    reportViolation(t, isOwnJob ? 'job-ownership/other-run' : 'job-ownership/other-job', operation, {
      requirement: 'errors.not-found',
      expected: `status 404: it does not belong to that ${isOwnJob ? 'run' : 'job'}`,
      received: `status ${status}`,
      exchanges: [...readable, seen],
    });
  }
}

defineForRole(session, 'runs', {
  ...base,
  title: 'the runs of a job that never ran are not those of another job',
  checks: ['job-ownership'],
  requirements: ['runs.list'],
  run: async (t, { operation, form }) => {
    const [{ id }, { id: otherJob }] = [await freshJob(t, 'lists'), await freshJob(t, 'stranger')];
    const queue = operationOf(t, 'queue');
    await prepareRun(t, queue);
    await t.send(queue, { form, path: { id }, expect: 'success', label: 'queue a run' });
    const list = (of: string): Promise<Exchange> =>
      t.send(operation, { form, path: { id: of }, query: { pageSize: LONG }, label: `of job ${of}` });
    const isListed = (seen: Exchange): boolean => itemsIn(seen)?.length !== 0;
    const own = await readUntil(t, () => list(id), isListed);
    if ((itemsIn(own) ?? []).length === 0) t.skip('the queued run was not listed in time');
    const other = await list(otherJob);
    if (itemsIn(other) === undefined) t.skip('the runs of the other job are not a list');
    reportShared(t, operation, 'runs.list', [own, other]);
  },
});

/** The lists of a job must not contain items of another job. */
async function checkLists(t: TestContext, form: Form, jobId: string, otherJob: string): Promise<void> {
  const type = await resultType(t);
  for (const [role, requirement] of [
    ['results', 'results.list'],
    ['chatStream', 'chats.stream'],
  ] as const) {
    const operation = operationOf(t, role);
    const path = role === 'results' ? { type } : {};
    const of = (id: string): Promise<Exchange> =>
      t.send(operation, { form, path: { id, ...path }, label: `of job ${id}` });
    reportShared(t, operation, requirement, [await of(jobId), await of(otherJob)]);
  }
}

/** Reports an item that is in the lists of two jobs. */
function reportShared(
  t: TestContext,
  operation: Operation,
  requirement: 'runs.list' | 'results.list' | 'chats.stream',
  [own, other]: readonly [Exchange, Exchange],
): void {
  // A stream wraps its items, beside their offsets in it.
  const [keys, others] = [own, other].map((exchange) =>
    itemsIn(exchange)?.map((each) => {
      const item = memberOf(each, 'item');
      return (isObject(item) ? idOf(item) : undefined) ?? keyOf(each);
    }),
  );
  // Equal contents without any id may be of two items.
  const isOfOne = (key: string): boolean => !key.startsWith('{') || UUID.test(key);
  const shared = keys?.find((key) => isOfOne(key) && others?.includes(key));
  if (shared === undefined) return;
  const [expected, received] = ['no items of the other job', `${shared.slice(0, 200)} in the lists of both jobs`];
  reportViolation(t, 'job-ownership/other-job', operation, {
    requirement,
    expected,
    received,
    exchanges: [own, other],
  });
}

/** The id of a result, from the results of the job: those of a run have no ids. */
async function anyResultId(t: TestContext, form: Form, path: Record<string, string>): Promise<string | undefined> {
  const { response } = await t.send(operationOf(t, 'results'), { form, path, label: 'under its own job' });
  return idOf(itemsIn({ response })?.[0], 'resultId');
}

/** Chats and results of a run must belong to that run only. */
async function checkRuns(t: TestContext, form: Form, { jobId, runIds }: RanJob): Promise<void> {
  const [one, other] = [runIds[0], runIds.at(-1)];
  if (one === undefined || other === undefined || one === other) return;
  for (const [role, requirement, jobParameter] of [
    ['chats', 'chats.list', 'jobId'],
    ['runResults', 'results.of-run', 'id'],
  ] as const) {
    const operation = operationOf(t, role);
    const read = (runId: string): Promise<Exchange> =>
      t.send(operation, { form, path: { [jobParameter]: jobId, runId }, label: 'of one run' });
    const [first, second] = [await read(one), await read(other)];
    const foreign = itemsIn(first)
      ?.map((item) => memberOf(item, 'runId'))
      .find((runId) => typeof runId === 'string' && !sameId(runId, one) && runIds.some((id) => sameId(id, runId)));
    if (foreign !== undefined) {
      const received = `items of run ${JSON.stringify(foreign)}`;
      const evidence = { requirement, expected: `items of run ${one}`, received, exchanges: [first] };
      reportViolation(t, 'job-ownership/other-run', operation, evidence);
    }
    const keys = keysOfOne(first);
    const sharedWith = (list: Exchange): string | undefined => keys.find((key) => keysOfOne(list).includes(key));
    const shared = sharedWith(second);
    if (shared !== undefined) {
      // The second run of the list is easier to reproduce than the last one.
      const near = await read(runIds[1] ?? other);
      const exchanges = [first, sharedWith(near) === undefined ? second : near];
      const received = `${(sharedWith(near) ?? shared).slice(0, 200)} in the lists of both runs`;
      const evidence = { requirement, expected: 'other items for each run', received, exchanges };
      reportViolation(t, 'job-ownership/same-content', operation, evidence);
    }
  }
}

/** Keys of listed items that belong to one run: without any of these ids, two runs may have equal items. */
function keysOfOne(list: Exchange): readonly string[] {
  const hasId = (item: Json): boolean => ['id', 'chatId', 'runId'].some((name) => memberOf(item, name) !== undefined);
  return (itemsIn(list) ?? []).filter(hasId).map((item) => keyOf(item));
}

defineForRole(session, 'runs', {
  ...base,
  title: 'runs, chats and results of a deleted job are not served',
  checks: ['deleted-is-gone'],
  requirements: ['jobs.delete-removes'],
  run: async (t, { form }) => {
    const { jobId, runIds } = await makeRanJob(t, 1);
    const [runId = ''] = runIds;
    const type = await resultType(t);
    const path = { id: jobId };
    const chats = await t.send(operationOf(t, 'chats'), { form, path: { jobId, runId }, label: 'chats of the run' });
    const chatId = idOf(itemsIn(chats)?.[0], 'chatId');
    const resultId = await anyResultId(t, form, { ...path, type });
    const reads = [
      ['runs', path],
      ['chatStream', path],
      ['results', { ...path, type }],
      ['runResults', { ...path, runId }],
      ['chats', { jobId, runId }],
      ...(chatId === undefined ? [] : ([['chat', { jobId, runId, chatId }]] as const)),
      ...(resultId === undefined ? [] : ([['result', { ...path, type, resultId }]] as const)),
    ] as const;
    // What was read before may be kept by a cache.
    for (const [role, below] of reads) await t.send(operationOf(t, role), { form, path: below, label: 'before that' });
    const removed = await t.send(operationOf(t, 'deleteJob'), { form, path, label: 'delete the job' });
    if (!isServed(removed)) t.skip('the deployment does not delete a job with runs');
    for (const [role, below] of reads) {
      const operation = operationOf(t, role);
      await t.holds(async (t) => {
        const seen = await t.send(operation, { form, path: below, label: 'under the deleted job' });
        const status = seen.response?.status ?? 0;
        if (!isSuccess(status) || itemsIn(seen)?.length === 0) return undefined;
        return violationOf('deleted-is-gone/served', operation, {
          requirement: 'jobs.delete-removes',
          expected: 'status 404',
          received: `status ${status}`,
          exchanges: [removed, seen],
        });
      });
    }
  },
});

defineForRole(session, 'deleteJob', {
  suite: 'state/jobs/ownership',
  formIndex: 0,
  effects: ['reversible', 'read'],
  title: 'deleting a job does not delete its agent',
  checks: ['deleted-is-gone'],
  requirements: ['jobs.delete-removes'],
  run: async (t, { operation, form }) => {
    const agent = await freshAgent(t, 'keeps');
    const job = await freshJob(t, 'keeps', { aiAgentId: agent.id });
    const removed = await t.send(operation, { form, path: { id: job.id }, label: 'delete the job' });
    if (!isServed(removed)) return;
    await t.holds(async (t) => {
      const seen = await t.send(operationOf(t, 'readAgent'), { form, path: { id: agent.id }, label: 'read its agent' });
      if (seen.response?.status !== 404) return undefined;
      return violationOf('deleted-is-gone/other-item', operation, {
        requirement: 'jobs.delete-removes',
        expected: `agent ${agent.name} still exists`,
        received: 'status 404',
        exchanges: [agent.created, removed, seen],
      });
    });
  },
});
