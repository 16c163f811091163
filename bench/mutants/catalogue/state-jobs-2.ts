import { area } from '../define.ts';
import {
  asList,
  asObject,
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
import { after, also, forgets, fresh, frozen, itself, mine } from './parts.ts';

const define = area('jobs');
const row = (name: string, breaks: string, operations: readonly string[], make: Make): Mutant =>
  define(name, breaks, operations, make, ['reversible', 'costly']);
const [JOBS, CREATE, JOB, UPDATE, PATCH, DELETE] = [
  'GET /aijob',
  'POST /aijob',
  'GET /aijob/{id}',
  'PUT /aijob/{id}',
  'PATCH /aijob/{id}',
  'DELETE /aijob/{id}',
];
const [AGENTS, AGENT, NEW_AGENT, PUT_AGENT, DELETE_AGENT] = [
  'GET /aiagent',
  'GET /aiagent/{id}',
  'POST /aiagent',
  'PUT /aiagent/{id}',
  'DELETE /aiagent/{id}',
];
const [RUNS, QUEUE, DRY, PREVIEW] = [
  'GET /aijob/{id}/runs',
  'POST /aijob/{id}/execution-queue',
  'POST /aijob/{id}/dry-run',
  'POST /aijob/{id}/preview',
];
const [RESULTS, RESULT, OF_RUN] = [
  'GET /aijob/{id}/results/{type}',
  'GET /aijob/{id}/results/{type}/{resultId}',
  'GET /aijob/{id}/runs/{runId}/results',
];
const [APPROVE, BULK, CHATS] = [
  'POST /aijob/{id}/results/{type}/approvals',
  'PUT /aijob/{id}/bulk-result-approval-request',
  'GET /aijob/{jobId}/runs/{runId}/chats',
];
const STORED = 'POST and PUT take the model and answer 200 (section 4)';
const GONE = 'DELETE; 404 resource does not exist (sections 4, 7)';
const QUEUES = 'queues a run now (section 4)';
const REHEARSAL = 'dry-run and preview are no updates (sections 2, 4)';
const STATES =
  'AI job results have a state that can be filtered with state (section 3); approvals answer 200 (section 4)';

const current = (call: Call, context: Context): Promise<Reply> => context.ask('GET', itself(call));
const progress = json({ jobProgressId: '5f0c1d2e-7a64-4b57-9f40-0d6f5a2b1c3d' });
const idsAt = async (context: Context, path: string): Promise<readonly string[]> =>
  items(parsed(await context.ask('GET', path))).map(idOf);

/** Keeps listing what was deleted. */
const haunted =
  (list: string, remove: string): Make =>
  (context) => {
    const ghosts: unknown[] = [];
    return async (call, next) => {
      const before =
        hit(call, remove) && call.role === 'full' ? parsed(await context.ask('GET', call.path)) : undefined;
      const reply = await next();
      if (before !== undefined && succeeded(reply)) ghosts.push(before);
      return hit(call, list) && succeeded(reply) && call.query === ''
        ? withJson(reply, withItems(parsed(reply), [...items(parsed(reply)), ...ghosts]))
        : reply;
    };
  };

const LIVES: readonly Mutant[] = [
  row('agent-deleted-still-listed', GONE, [DELETE_AGENT, AGENTS], haunted(AGENTS, DELETE_AGENT)),
  row(
    'agent-deleted-updatable',
    GONE,
    [PUT_AGENT, DELETE_AGENT],
    at({ op: PUT_AGENT, when: (call) => call.role === 'full' }, async (_, next) => {
      const reply = await next();
      return reply.status === 404 ? empty() : reply;
    }),
  ),
  row(
    'agent-second-update-forgotten',
    STORED,
    [PUT_AGENT, AGENT],
    fresh(() => forgets(PUT_AGENT, after(1))),
  ),
  row(
    'agent-list-shows-old-names',
    'GET /aiagent lists the agents (section 4)',
    [AGENTS, PUT_AGENT],
    fresh(() => {
      const names = new Map<string, unknown>();
      return relist(AGENTS, (list) =>
        list.map((item) => {
          if (!names.has(idOf(item))) names.set(idOf(item), asObject(item)['name']);
          return { ...asObject(item), name: names.get(idOf(item)) };
        }),
      );
    }),
  ),
  row(
    'agent-update-renames-neighbour',
    STORED,
    [PUT_AGENT, AGENT, AGENTS],
    also(PUT_AGENT, async (call, context) => {
      const all = items(parsed(await context.ask('GET', '/api/aiagent')));
      const neighbour = all[all.findIndex((item) => idOf(item) === mine(call)) - 1];
      if (neighbour !== undefined)
        await context.ask('PUT', `/api/aiagent/${idOf(neighbour)}`, {
          ...asObject(neighbour),
          name: asObject(call.json)['name'],
        });
    }),
  ),
  row(
    'agent-creation-lost-each-fourth',
    STORED,
    [NEW_AGENT, AGENT, AGENTS],
    fresh(() => {
      let count = 0;
      return also(NEW_AGENT, async (_, context) => {
        count += 1;
        const newest = (await idsAt(context, '/api/aiagent')).at(-1);
        if (count % 4 === 0 && newest !== undefined) await context.ask('DELETE', `/api/aiagent/${newest}`);
      });
    }),
  ),
  row(
    'agent-forbidden-update-counts',
    '403: the request is rejected (section 5)',
    [PUT_AGENT, AGENT],
    at({ op: PUT_AGENT, when: (call) => call.role === 'limited' }, async (call, next, context) => {
      await context.ask('PUT', call.path, call.json);
      return next();
    }),
  ),
  row(
    'job-second-update-forgotten',
    STORED,
    [UPDATE, JOB],
    fresh(() => forgets(UPDATE, after(1), current)),
  ),
  row(
    'job-second-patch-forgotten',
    STORED,
    [PATCH, JOB],
    fresh(() => forgets(PATCH, after(1), current)),
  ),
  row('job-patch-undone-by-queueing', 'PATCH answers 200 and the job (section 4)', [PATCH, QUEUE, JOB], (context) => {
    const before = new Map<string, unknown>();
    return async (call, next) => {
      const old = hit(call, PATCH) && call.role === 'full' ? parsed(await context.ask('GET', call.path)) : undefined;
      const reply = await next();
      if (succeeded(reply) && old !== undefined) before.set(mine(call), old);
      if (succeeded(reply) && hit(call, QUEUE) && before.has(mine(call)))
        await context.ask('PUT', itself(call), before.get(mine(call)));
      return reply;
    };
  }),
  row(
    'job-update-renames-neighbour',
    STORED,
    [UPDATE, JOB, JOBS],
    also(UPDATE, async (call, context) => {
      const all = await idsAt(context, '/api/aijob');
      const neighbour = all[all.indexOf(mine(call)) - 1];
      if (neighbour !== undefined)
        await context.ask('PATCH', `/api/aijob/${neighbour}`, [
          { op: 'replace', path: '/description', value: asObject(call.json)['description'] ?? '' },
        ]);
    }),
  ),
  row(
    'job-update-merges-metadata',
    'After PUT the job is as it was sent (section 4)',
    [UPDATE, JOB],
    at(UPDATE, async (call, next, context) => {
      const before = asObject(asObject(parsed(await context.ask('GET', call.path)))['metadata']);
      return call.json === undefined || Object.keys(before).length === 0
        ? next()
        : next(
            withBody({ ...asObject(call.json), metadata: { ...before, ...asObject(asObject(call.json)['metadata']) } }),
          );
    }),
  ),
  row(
    'job-update-appends-sources',
    STORED,
    [UPDATE, JOB],
    at(UPDATE, async (call, next, context) => {
      const before = asList(asObject(parsed(await context.ask('GET', call.path)))['dataSources']);
      return call.json === undefined || before.length === 0
        ? next()
        : next(
            withBody({
              ...asObject(call.json),
              dataSources: [...before, ...asList(asObject(call.json)['dataSources'])],
            }),
          );
    }),
  ),
  row(
    'job-cached-per-form',
    'both forms behave the same (section 4)',
    [JOB, UPDATE, PATCH, DELETE],
    frozen(
      (call) => hit(call, JOB),
      (call) => `${call.route?.form} ${mine(call)}`,
      (call, known) => {
        if (call.method !== 'GET') known.delete(`${call.route?.form} ${mine(call)}`);
      },
    ),
  ),
  row(
    'job-list-frozen',
    'GET /aijob lists the jobs (section 4)',
    [JOBS, CREATE, DELETE, UPDATE],
    frozen(
      (call) => hit(call, JOBS) && call.query === '',
      (call) => call.query,
    ),
  ),
  row(
    'job-deleted-queueable',
    GONE,
    [QUEUE, DELETE],
    at({ op: QUEUE, when: (call) => call.role === 'full' }, async (_, next) => {
      const reply = await next();
      return reply.status === 404 ? progress : reply;
    }),
  ),
  row('job-deleted-patchable', GONE, [PATCH, DELETE], (context) => {
    const gone = new Map<string, unknown>();
    return async (call, next) => {
      const before =
        hit(call, DELETE) && call.role === 'full' ? parsed(await context.ask('GET', call.path)) : undefined;
      const reply = await next();
      if (before !== undefined && succeeded(reply)) gone.set(mine(call), before);
      return hit(call, PATCH) && call.role === 'full' && reply.status === 404 && gone.has(mine(call))
        ? json(gone.get(mine(call)))
        : reply;
    };
  }),
  row(
    'job-deletion-of-run-job-forgotten',
    GONE,
    [DELETE, JOB, JOBS, RUNS],
    forgets(DELETE, async (call, context) => (await idsAt(context, `${itself(call)}/runs`)).length > 0),
  ),
];

/** Hides runs, by which of them are meant. */
const runsOf = (change: (list: readonly unknown[], call: Call) => readonly unknown[]): Make =>
  relist({ op: RUNS, when: (call) => call.role === 'full' }, change);

const RUNNING: readonly Mutant[] = [
  row(
    'third-run-of-a-job-forgotten',
    QUEUES,
    [QUEUE, RUNS],
    fresh(() => forgets(QUEUE, after(2), () => progress)),
  ),
  row('queue-after-update-forgotten', QUEUES, [QUEUE, RUNS], (context) => {
    const updated = new Set<string>();
    const inner = forgets(
      QUEUE,
      (call) => updated.has(mine(call)),
      () => progress,
    )(context);
    return (call, next) => {
      if (hit(call, [UPDATE, PATCH])) updated.add(mine(call));
      return inner(call, next);
    };
  }),
  row(
    'run-goes-to-the-job-before',
    QUEUES,
    [QUEUE, RUNS],
    at(QUEUE, async (call, next, context) => {
      const all = await idsAt(context, '/api/aijob');
      const other = all[all.indexOf(mine(call)) - 1];
      return call.role !== 'full' || other === undefined
        ? next()
        : next({ path: `/api/aijob/${other}/execution-queue` });
    }),
  ),
  row('update-wipes-the-runs', QUEUES, [RUNS, UPDATE, QUEUE], (context) => {
    const updated = new Set<string>();
    const inner = runsOf((list, call) => (updated.has(mine(call)) ? [] : list))(context);
    return (call, next) => {
      if (hit(call, UPDATE) && call.role === 'full') updated.add(mine(call));
      return inner(call, next);
    };
  }),
  row('ended-run-is-open-again', 'a queued run appears, ends and stays ended', [RUNS, QUEUE], (context) => {
    const seen = new Map<string, number>();
    return runsOf((list) =>
      list.map((run) => {
        const ended = asObject(run)['status'] === 'Completed' || typeof asObject(run)['endedAt'] === 'string';
        const times = (seen.get(idOf(run)) ?? 0) + (ended ? 1 : 0);
        seen.set(idOf(run), times);
        return times > 2
          ? {
              ...asObject(run),
              status: 'Running',
              state: 'Running',
              endedAt: null,
              completedAt: null,
              finishedAt: null,
            }
          : run;
      }),
    )(context);
  }),
  row(
    'run-ends-anew-each-time',
    'a queued run appears, ends and stays ended',
    [RUNS, QUEUE],
    runsOf((list) =>
      list.map((run) =>
        Object.fromEntries(
          Object.entries(asObject(run)).map(([name, value]) => [
            name,
            /^(?:ended|completed|finished)At$/i.test(name) && value !== null ? new Date().toISOString() : value,
          ]),
        ),
      ),
    ),
  ),
  row(
    'results-of-run-are-those-of-the-job',
    'GET /aijob/{id}/runs/{runId}/results lists the results of that run (section 4)',
    [OF_RUN],
    at({ op: OF_RUN, when: (call) => call.role === 'full' }, async (call, next, context) => {
      const reply = await next();
      if (!succeeded(reply)) return reply;
      const runs = await idsAt(context, `${itself(call)}/runs?pageSize=100`);
      const other = runs.find((id) => id !== (call.route?.params['runId'] ?? '').toLowerCase());
      return other === undefined
        ? reply
        : context.ask('GET', `${itself(call)}/runs/${other}/results${call.query === '' ? '' : `?${call.query}`}`);
    }),
  ),
  row(
    'chats-of-run-are-those-of-the-first',
    'GET /aijob/{jobId}/runs/{runId}/chats lists the chats of that run (section 4)',
    [CHATS],
    at({ op: CHATS, when: (call) => call.role === 'full' }, async (call, next, context) => {
      const reply = await next();
      const first = (await idsAt(context, `${itself(call)}/runs?pageSize=100`))[0];
      return !succeeded(reply) || first === undefined
        ? reply
        : context.ask('GET', `${itself(call)}/runs/${first}/chats${call.query === '' ? '' : `?${call.query}`}`);
    }),
  ),
  row(
    'dry-run-persists-metadata',
    REHEARSAL,
    [DRY, JOB],
    also(DRY, (call, context) =>
      context.ask('PATCH', itself(call), [{ op: 'add', path: '/metadata', value: { rehearsed: 'yes' } }]),
    ),
  ),
  row(
    'second-dry-run-persists',
    REHEARSAL,
    [DRY, JOB],
    fresh(() => {
      const second = after(1);
      return also(DRY, (call, context) => (second(call) ? context.ask('PUT', itself(call), call.json) : undefined));
    }),
  ),
  row(
    'preview-leaves-a-run',
    REHEARSAL,
    [PREVIEW, RUNS],
    also(PREVIEW, (call, context) => context.ask('POST', `${itself(call)}/execution-queue`)),
  ),
  row(
    'preview-switches-off',
    REHEARSAL,
    [PREVIEW, JOB],
    also(PREVIEW, (call, context) =>
      context.ask('PATCH', itself(call), [{ op: 'replace', path: '/prompt', value: 'previewed' }]),
    ),
  ),
  row('dry-run-deletes-the-runs', REHEARSAL, [DRY, RUNS], (context) => {
    const wiped = new Set<string>();
    const inner = runsOf((list, call) =>
      wiped.has(mine(call)) ? list.filter((run) => asObject(run)['runType'] !== 'Normal') : list,
    )(context);
    return (call, next) => {
      if (hit(call, DRY) && call.role === 'full') wiped.add(mine(call));
      return inner(call, next);
    };
  }),
];

const approves = (
  call: Call,
  context: Context,
  path: string,
  ids: readonly string[],
  action: number,
): Promise<unknown> =>
  context.ask('POST', `${path}/results/${call.route?.params['type'] ?? 'x'}/approvals`, {
    results: ids.map((resultId) => ({ resultId, userOverride: [] })),
    action,
  });

/** Shows results in a state that they don't have. */
const pretends = (op: readonly string[], meant: (id: string) => boolean): Make =>
  rewrite({ op, when: (call) => call.role === 'full' }, (value) =>
    Array.isArray(asObject(value)['data'])
      ? withItems(
          value,
          items(value).map((item) => pending(item, meant)),
        )
      : pending(value, meant),
  );

function pending(item: unknown, meant: (id: string) => boolean): unknown {
  return meant(idOf(item)) && 'state' in asObject(item) ? { ...asObject(item), state: 'Pending' } : item;
}

const APPROVALS: readonly Mutant[] = [
  row('approval-undoes-the-one-before', STATES, [APPROVE, RESULTS, RESULT], (context) => {
    const [before, undone] = [new Map<string, readonly string[]>(), new Set<string>()];
    const inner = pretends([RESULTS, RESULT, OF_RUN], (id) => undone.has(id))(context);
    return async (call, next) => {
      const reply = await inner(call, next);
      if (!hit(call, APPROVE) || !succeeded(reply)) return reply;
      for (const id of before.get(mine(call)) ?? []) undone.add(id);
      const named = asList(asObject(call.json)['results']).map((each) =>
        String(asObject(each)['resultId']).toLowerCase(),
      );
      for (const id of named) undone.delete(id);
      before.set(mine(call), named);
      return reply;
    };
  }),
  row(
    'approval-of-last-named-forgotten',
    STATES,
    [APPROVE, RESULTS, RESULT],
    at(APPROVE, async (call, next) => {
      const named = asList(asObject(call.json)['results']);
      return named.length < 2 ? next() : next(withBody({ ...asObject(call.json), results: named.slice(0, -1) }));
    }),
  ),
  row(
    'approval-leaks-to-the-next',
    STATES,
    [APPROVE, RESULTS, RESULT],
    also(APPROVE, async (call, context) => {
      const all = await idsAt(context, `${itself(call)}/results/${call.route?.params['type'] ?? ''}?pageSize=500`);
      const last = String(asObject(asList(asObject(call.json)['results']).at(-1))['resultId']).toLowerCase();
      const neighbour = all[all.indexOf(last) + 1];
      if (neighbour !== undefined) await approves(call, context, itself(call), [neighbour], 0);
    }),
  ),
  row(
    'bulk-approval-leaks-to-other-job',
    STATES,
    [BULK, RESULTS],
    also(BULK, async (call, context) => {
      for (const other of (await idsAt(context, '/api/aijob')).filter((id) => id !== mine(call)).slice(-6))
        await context.ask('PUT', `/api/aijob/${other}/bulk-result-approval-request`, call.json);
    }),
  ),
  row('bulk-approval-skips-the-last', STATES, [BULK, RESULTS, RESULT], (context) => {
    const skipped = new Set<string>();
    const inner = pretends([RESULTS, RESULT, OF_RUN], (id) => skipped.has(id))(context);
    return async (call, next) => {
      if (hit(call, BULK) && call.role === 'full') {
        const runs = await idsAt(context, `${itself(call)}/runs?pageSize=100`);
        const pending = items(
          parsed(await context.ask('GET', `${itself(call)}/runs/${runs.at(-1) ?? ''}/results?pageSize=500`)),
        );
        const last = pending.at(-1);
        if (last !== undefined) skipped.add(idOf(last));
      }
      return inner(call, next);
    };
  }),
  row(
    'approval-not-in-detail',
    STATES,
    [APPROVE, RESULT, RESULTS, BULK],
    pretends([RESULT], () => true),
  ),
  row('queueing-undoes-approvals', STATES, [QUEUE, RESULTS, RESULT], (context) => {
    const undone = new Set<string>();
    const inner = pretends([RESULTS, RESULT, OF_RUN], (id) => undone.has(id))(context);
    return async (call, next) => {
      const reply = await inner(call, next);
      if (!hit(call, QUEUE) || !succeeded(reply)) return reply;
      for (const run of await idsAt(context, `${itself(call)}/runs?pageSize=100`))
        for (const id of await idsAt(context, `${itself(call)}/runs/${run}/results?pageSize=500`)) undone.add(id);
      return reply;
    };
  }),
  row(
    'approvals-not-seen-through-v1',
    'both forms behave the same (section 4)',
    [RESULTS, APPROVE, BULK],
    frozen(
      (call) => hit(call, { op: RESULTS, form: '/api/v1' }),
      (call) => `${mine(call)} ${call.query}`,
    ),
  ),
  row(
    'forbidden-approval-counts',
    '403: the request is rejected (section 5)',
    [APPROVE, BULK, RESULTS],
    at({ op: [APPROVE, BULK], when: (call) => call.role === 'limited' }, async (call, next, context) => {
      await context.ask(call.method, call.path, call.json);
      return next();
    }),
  ),
  row('approval-reverts-soon', STATES, [APPROVE, BULK, RESULTS, RESULT], (context) => {
    const undone = new Set<string>();
    const inner = pretends([RESULTS, RESULT, OF_RUN], (id) => undone.has(id))(context);
    return async (call, next) => {
      const reply = await inner(call, next);
      if (hit(call, APPROVE) && succeeded(reply))
        setTimeout(() => {
          for (const each of asList(asObject(call.json)['results']))
            undone.add(String(asObject(each)['resultId']).toLowerCase());
        }, 200);
      return reply;
    };
  }),
];

export const STATE_JOBS_2: readonly Mutant[] = [...LIVES, ...RUNNING, ...APPROVALS];
