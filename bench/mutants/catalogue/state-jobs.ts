import { area } from '../define.ts';
import {
  answers,
  asList,
  asObject,
  asks,
  at,
  empty,
  hit,
  idOf,
  items,
  json,
  parsed,
  relist,
  rewrite,
  succeeded,
  withBody,
  withItems,
  withJson,
} from '../kit.ts';
import type { Call, Context, Make, Mutant, Reply } from '../types.ts';

const define = area('jobs');
const COSTLY = ['reversible', 'costly'] as const;
const row = (name: string, breaks: string, operations: readonly string[], make: Make): Mutant =>
  define(name, breaks, operations, make, COSTLY);
const [RUNS, QUEUE, DRY] = ['GET /aijob/{id}/runs', 'POST /aijob/{id}/execution-queue', 'POST /aijob/{id}/dry-run'];
const [RESULTS, RESULT] = ['GET /aijob/{id}/results/{type}', 'GET /aijob/{id}/results/{type}/{resultId}'];
const [APPROVE, BULK] = ['POST /aijob/{id}/results/{type}/approvals', 'PUT /aijob/{id}/bulk-result-approval-request'];
const [CHATS, CHAT] = ['GET /aijob/{jobId}/runs/{runId}/chats', 'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}'];
const [JOB, PUT_JOB, DELETE_JOB, JOBS] = ['GET /aijob/{id}', 'PUT /aijob/{id}', 'DELETE /aijob/{id}', 'GET /aijob'];
const [AGENT, PUT_AGENT, DELETE_AGENT] = ['GET /aiagent/{id}', 'PUT /aiagent/{id}', 'DELETE /aiagent/{id}'];
const STORED = 'POST and PUT take the model and answer 200 (section 4)';
const GONE = 'DELETE; 404 resource does not exist (sections 4, 7)';
const QUEUES = 'queues a run now (section 4)';
const DRY_RUN = 'dry-run takes an UpdateAiJobModel and answers RunNowResultModel; it is not an update (sections 2, 4)';
const STATES =
  'AI job results have a state that can be filtered with state (section 3); approvals answer 200 (section 4)';

const mine = (call: Call): string => (call.route?.params['id'] ?? call.route?.params['jobId'] ?? '').toLowerCase();
const jobPath = (call: Call): string => `/api/aijob/${mine(call)}`;
const there = async (call: Call, context: Context): Promise<boolean> =>
  call.role === 'full' && succeeded(await context.ask('GET', call.path));
const noOp = (op: string, reply: Reply = empty()): Make =>
  at(op, async (call, next, context) => ((await there(call, context)) ? reply : next()));
const without = (op: string, name: string): Make =>
  asks({ op, when: (call) => name in asObject(call.json) }, (call) =>
    withBody({ ...asObject(call.json), [name]: undefined }),
  );
const jobModel = (job: unknown, changes: Readonly<Record<string, unknown>>): unknown => ({
  ...asObject(job),
  ...changes,
});

const LIVES: readonly Mutant[] = [
  row('agent-update-no-op', STORED, [PUT_AGENT, AGENT], noOp(PUT_AGENT)),
  row('agent-delete-no-op', GONE, [DELETE_AGENT, AGENT], noOp(DELETE_AGENT)),
  row('agent-create-loses-metadata', STORED, ['POST /aiagent', AGENT], without('POST /aiagent', 'metadata')),
  row('agent-update-loses-instructions', STORED, [PUT_AGENT, AGENT], without(PUT_AGENT, 'instructions')),
  row(
    'job-update-no-op',
    STORED,
    [PUT_JOB, JOB],
    at(PUT_JOB, async (call, next, context) =>
      (await there(call, context)) && call.json !== undefined ? context.ask('GET', call.path) : next(),
    ),
  ),
  row(
    'job-update-answers-but-forgets',
    STORED,
    [PUT_JOB, JOB],
    at(PUT_JOB, async (call, next, context) => {
      const before = parsed(await context.ask('GET', call.path));
      const reply = await next();
      if (succeeded(reply)) await context.ask('PUT', call.path, before);
      return reply;
    }),
  ),
  row('job-create-loses-prompt', STORED, ['POST /aijob', JOB], without('POST /aijob', 'prompt')),
  row('job-create-loses-metadata', STORED, ['POST /aijob', JOB, JOBS], without('POST /aijob', 'metadata')),
  row(
    'job-create-answers-other-name',
    STORED,
    ['POST /aijob', JOB],
    rewrite('POST /aijob', (value) => ({ ...asObject(value), name: 'job' })),
  ),
  row('job-delete-no-op', GONE, [DELETE_JOB, JOB, JOBS], noOp(DELETE_JOB)),
  row('job-deleted-still-listed', GONE, [DELETE_JOB, JOBS], (context) => {
    const ghosts: unknown[] = [];
    return async (call, next) => {
      const before =
        hit(call, DELETE_JOB) && call.role === 'full' ? parsed(await context.ask('GET', call.path)) : undefined;
      const reply = await next();
      if (before !== undefined && succeeded(reply)) ghosts.push(before);
      return hit(call, JOBS) && succeeded(reply) && call.query === ''
        ? withJson(reply, [...items(parsed(reply)), ...ghosts])
        : reply;
    };
  }),
  row('job-created-not-listed', STORED, ['POST /aijob', JOBS], (context) => {
    const hidden = new Set<string>();
    return async (call, next) => {
      const reply = await next();
      if (hit(call, 'POST /aijob') && succeeded(reply) && context.tokens.full !== '') hidden.add(idOf(parsed(reply)));
      return hit(call, JOBS) && succeeded(reply)
        ? withJson(
            reply,
            items(parsed(reply)).filter((item) => !hidden.has(idOf(item))),
          )
        : reply;
    };
  }),
  row(
    'job-delete-takes-another-along',
    GONE,
    [DELETE_JOB, JOB, JOBS],
    at(DELETE_JOB, async (call, next, context) => {
      const reply = await next();
      const other = items(parsed(await context.ask('GET', '/api/aijob')))
        .map(idOf)
        .find((id) => id !== mine(call));
      if (succeeded(reply) && other !== undefined) await context.ask('DELETE', `/api/aijob/${other}`);
      return reply;
    }),
  ),
];

/** Answers as a queued run does, without one. */
const pretends: Make = at(QUEUE, async (call, next, context) =>
  call.role === 'full' && succeeded(await context.ask('GET', jobPath(call)))
    ? json({ jobProgressId: '5f0c1d2e-7a64-4b57-9f40-0d6f5a2b1c3d' })
    : next(),
);

/** The same list whatever job is asked for. */
const listOfFirstJob =
  (op: string): Make =>
  () => {
    let first: Reply | undefined;
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, op) || !succeeded(reply)) return reply;
      if (first === undefined && items(parsed(reply)).length > 0) first = reply;
      return first ?? reply;
    };
  };

/** Reads a part under any job's id. */
const underAnyJob = (op: string): Make =>
  at({ op, when: (call) => call.role === 'full' }, async (call, next, context) => {
    const reply = await next();
    if (reply.status !== 404 || !succeeded(await context.ask('GET', jobPath(call)))) return reply;
    for (const job of items(parsed(await context.ask('GET', '/api/aijob'))).map(idOf)) {
      const found = await context.ask(
        'GET',
        call.path.toLowerCase().replace(mine(call), job) + (call.query === '' ? '' : `?${call.query}`),
      );
      if (succeeded(found)) return found;
    }
    return reply;
  });

const RUNNING: readonly Mutant[] = [
  row('run-never-appears', QUEUES, [QUEUE, RUNS], pretends),
  row(
    'run-listed-nowhere',
    QUEUES,
    [QUEUE, RUNS],
    relist(RUNS, () => []),
  ),
  row(
    'run-appears-twice',
    QUEUES,
    [QUEUE, RUNS],
    at(QUEUE, async (_, next) => {
      const reply = await next();
      if (succeeded(reply)) await next();
      return reply;
    }),
  ),
  row(
    'runs-of-first-job-for-all',
    'GET /aijob/{id}/runs lists the runs of that job (section 4)',
    [RUNS],
    listOfFirstJob(RUNS),
  ),
  row(
    'results-of-first-job-for-all',
    'GET /aijob/{id}/results/{type} lists the results of that job (section 4)',
    [RESULTS],
    listOfFirstJob(RESULTS),
  ),
  row(
    'chat-readable-under-other-job',
    'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}; 404 resource does not exist (sections 4, 7)',
    [CHAT],
    underAnyJob(CHAT),
  ),
  row(
    'result-readable-under-other-job',
    'GET /aijob/{id}/results/{type}/{resultId}; 404 resource does not exist (sections 4, 7)',
    [RESULT],
    underAnyJob(RESULT),
  ),
  row(
    'chats-readable-under-other-job',
    'GET /aijob/{jobId}/runs/{runId}/chats; 404 resource does not exist (sections 4, 7)',
    [CHATS],
    underAnyJob(CHATS),
  ),
  row(
    'chat-is-first-of-run',
    'GET …/chats/{chatId} answers that chat (section 4)',
    [CHAT],
    at(CHAT, async (call, next, context) => {
      const first = idOf(items(parsed(await context.ask('GET', call.path.replace(/\/[^/]+$/, ''))))[0]);
      return first === '' ? next() : next({ path: call.path.replace(/[^/]+$/, first) });
    }),
  ),
  row(
    'result-is-first-of-job',
    'GET …/results/{type}/{resultId} answers that result (section 4)',
    [RESULT],
    at(RESULT, async (call, next, context) => {
      const first = idOf(items(parsed(await context.ask('GET', call.path.replace(/\/[^/]+$/, ''))))[0]);
      return first === '' || !(await there(call, context))
        ? next()
        : next({ path: call.path.replace(/[^/]+$/, first) });
    }),
  ),
  row(
    'dry-run-persists',
    DRY_RUN,
    [DRY, JOB],
    at(DRY, async (call, next, context) => {
      const reply = await next();
      if (succeeded(reply)) await context.ask('PUT', jobPath(call), call.json);
      return reply;
    }),
  ),
  row(
    'dry-run-renames',
    DRY_RUN,
    [DRY, JOB],
    at(DRY, async (call, next, context) => {
      const reply = await next();
      if (succeeded(reply))
        await context.ask(
          'PUT',
          jobPath(call),
          jobModel(parsed(await context.ask('GET', jobPath(call))), { name: 'dry run' }),
        );
      return reply;
    }),
  ),
  row(
    'preview-persists',
    'preview takes a GenerateAiJobPreviewModel; it is not an update (sections 2, 4)',
    ['POST /aijob/{id}/preview', JOB],
    at('POST /aijob/{id}/preview', async (call, next, context) => {
      const reply = await next();
      if (succeeded(reply)) await context.ask('PUT', jobPath(call), call.json);
      return reply;
    }),
  ),
  row(
    'preview-makes-a-job',
    'preview takes a GenerateAiJobPreviewModel; it is not a creation (sections 2, 4)',
    ['POST /aijob/{id}/preview', JOBS],
    at('POST /aijob/{id}/preview', async (call, next, context) => {
      const reply = await next();
      if (succeeded(reply)) await context.ask('POST', '/api/aijob', call.json);
      return reply;
    }),
  ),
  row(
    'runs-newest-only',
    QUEUES,
    [QUEUE, RUNS],
    relist(RUNS, (list) => list.slice(0, 1)),
  ),
];

const APPROVALS: readonly Mutant[] = [
  row(
    'approvals-ignored',
    STATES,
    [APPROVE, RESULTS, RESULT],
    at(APPROVE, async (call, next, context) =>
      call.role === 'full' && call.json !== undefined && succeeded(await context.ask('GET', jobPath(call)))
        ? empty()
        : next(),
    ),
  ),
  row(
    'approvals-inverted',
    STATES,
    [APPROVE, RESULTS, RESULT],
    asks({ op: APPROVE, when: (call) => typeof asObject(call.json)['action'] === 'number' }, (call) =>
      withBody({ ...asObject(call.json), action: asObject(call.json)['action'] === 0 ? 1 : 0 }),
    ),
  ),
  row(
    'approvals-first-only',
    STATES,
    [APPROVE, RESULTS, RESULT],
    asks({ op: APPROVE, when: (call) => asList(asObject(call.json)['results']).length > 1 }, (call) =>
      withBody({ ...asObject(call.json), results: asList(asObject(call.json)['results']).slice(0, 1) }),
    ),
  ),
  row(
    'bulk-approval-ignored',
    STATES,
    [BULK, RESULTS, RESULT],
    at(BULK, async (call, next, context) =>
      call.role === 'full' && call.json !== undefined && succeeded(await context.ask('GET', jobPath(call)))
        ? empty()
        : next(),
    ),
  ),
  row(
    'bulk-approval-inverted',
    STATES,
    [BULK, RESULTS, RESULT],
    asks({ op: BULK, when: (call) => typeof asObject(call.json)['action'] === 'number' }, (call) =>
      withBody({ ...asObject(call.json), action: asObject(call.json)['action'] === 0 ? 1 : 0 }),
    ),
  ),
  row('approved-leaves-pending-list-late', STATES, [APPROVE, BULK, RESULTS], () => {
    const first = new Map<string, Reply>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, { op: RESULTS, when: (c) => c.search.has('state') }) || !succeeded(reply)) return reply;
      const key = call.path.toLowerCase().replace('/v1/', '/') + call.query;
      if (!first.has(key)) first.set(key, reply);
      return first.get(key) ?? reply;
    };
  }),
  row(
    'result-differs-from-list',
    'list item and detail show one result (section 4)',
    [RESULT, RESULTS],
    rewrite(RESULT, (value) => ({ ...asObject(value), state: 'Rejected', id: asObject(value)['id'] })),
  ),
  row('results-type-ignored', 'type is a path string (section 4)', [RESULTS], () => {
    const known = new Map<string, Reply>();
    return async (call, next) => {
      const reply = await next();
      if (!hit(call, RESULTS) || !succeeded(reply)) return reply;
      if (items(parsed(reply)).length > 0) known.set(mine(call), reply);
      return items(parsed(reply)).length === 0 && call.search.size === 0 ? (known.get(mine(call)) ?? reply) : reply;
    };
  }),
  row(
    'audit-never-shows',
    'audit log of an object (section 4)',
    ['GET /auditLog/{objectId}/{objectTypeId}', 'GET /auditLog/getByObjectTypeIds'],
    rewrite(['GET /auditLog/{objectId}/{objectTypeId}', 'GET /auditLog/getByObjectTypeIds'], (value) =>
      withItems(value, []),
    ),
  ),
  row(
    'audit-500',
    '500 is an unexpected server error (section 7)',
    ['GET /auditLog/getByObjectTypeIds'],
    answers(
      { op: 'GET /auditLog/getByObjectTypeIds', when: (call) => call.search.getAll('objectIds').length > 1 },
      () => json({}, 500),
    ),
  ),
  row(
    'chat-stream-negative-500',
    '500 is an unexpected server error (section 7)',
    ['GET /aijob/{id}/chatstream'],
    answers(
      { op: 'GET /aijob/{id}/chatstream', when: (call) => (call.search.get('offset') ?? '').startsWith('-') },
      () => json({}, 500),
    ),
  ),
  row(
    'chat-stream-int64-500',
    'offset int64 (section 4)',
    ['GET /aijob/{id}/chatstream'],
    answers(
      { op: 'GET /aijob/{id}/chatstream', when: (call) => Number(call.search.get('offset') ?? 0) > 2_147_483_647 },
      () => json({}, 500),
    ),
  ),
  row(
    'chat-stream-int64-400',
    'offset int64 (section 4)',
    ['GET /aijob/{id}/chatstream'],
    answers(
      { op: 'GET /aijob/{id}/chatstream', when: (call) => Number(call.search.get('offset') ?? 0) > 2_147_483_647 },
      () => json({}, 400),
    ),
  ),
];

export const STATE_JOBS: readonly Mutant[] = [...LIVES, ...RUNNING, ...APPROVALS];
