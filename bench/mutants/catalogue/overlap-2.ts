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
  succeeded,
  wait,
  withBody,
  withItems,
  withJson,
} from '../kit.ts';
import type { Call, Make, Mutant, Reply } from '../types.ts';
import { itself, mine, moveTo, orderOf, overlapping, POLICIES, POLICY, setOrderTo } from './parts.ts';

const define = area('overlap');
const {
  list: LIST,
  create: CREATE,
  read: READ,
  update: UPDATE,
  remove: DELETE,
  activate: ACTIVATE,
  deactivate: DEACTIVATE,
  set: SET,
  order: ORDER,
} = POLICIES;
const [JOB, NEW_JOB, PUT_JOB, PATCH, DELETE_JOB, QUEUE, RUNS] = [
  'GET /aijob/{id}',
  'POST /aijob',
  'PUT /aijob/{id}',
  'PATCH /aijob/{id}',
  'DELETE /aijob/{id}',
  'POST /aijob/{id}/execution-queue',
  'GET /aijob/{id}/runs',
];
const [AGENT, NEW_AGENT, PUT_AGENT] = ['GET /aiagent/{id}', 'POST /aiagent', 'PUT /aiagent/{id}'];
const APPROVE = 'POST /aijob/{id}/results/{type}/approvals';
const ANSWERED = '200: request succeeded (section 7)';
const WHOLE = 'the processing order is set as a whole (section 3)';
const row = (
  name: string,
  breaks: string,
  operations: readonly string[],
  make: Make,
  needs: Mutant['needs'] = ['reversible'],
): Mutant => define(name, breaks, operations, make, needs);
const any = (): string => '';
const is =
  (op: string | readonly string[]) =>
  (call: Call): boolean =>
    hit(call, op);
const otherThan =
  (call: Call) =>
  (other: Call): boolean =>
    mine(other) !== mine(call);

const ORDERS: readonly Mutant[] = [
  row(
    'order-lost-to-a-creation',
    WHOLE,
    [SET, ORDER, CREATE],
    overlapping([SET, CREATE], any, async (call, next, others) =>
      hit(call, SET) && others.some(is(CREATE)) ? empty() : next(),
    ),
    ['reversible', 'global'],
  ),
  row(
    'order-lost-to-an-activation',
    WHOLE,
    [SET, ORDER, ACTIVATE],
    overlapping([SET, ACTIVATE], any, async (call, next, others) =>
      hit(call, SET) && others.some(is(ACTIVATE)) ? empty() : next(),
    ),
    ['reversible', 'global'],
  ),
  row(
    'activation-lost-to-an-order',
    'activate moves to active (section 3)',
    [ACTIVATE, LIST, READ, SET],
    overlapping([SET, ACTIVATE], any, async (call, next, others) =>
      hit(call, ACTIVATE) && others.some(is(SET)) ? empty() : next(),
    ),
    ['reversible', 'global'],
  ),
  row(
    'update-lost-to-an-order',
    ANSWERED,
    [UPDATE, READ, SET],
    overlapping([SET, UPDATE], any, async (call, next, others) =>
      hit(call, UPDATE) && others.some(is(SET)) ? empty() : next(),
    ),
    ['reversible', 'global'],
  ),
  row(
    'deletion-lost-to-an-order',
    '404 resource does not exist (section 7)',
    [DELETE, READ, LIST, ORDER, SET],
    overlapping([SET, DELETE], any, async (call, next, others) =>
      hit(call, DELETE) && others.some(is(SET)) ? empty() : next(),
    ),
    ['reversible', 'global'],
  ),
  row(
    'creation-lost-to-an-order',
    '200, uuid string (new policy id) (section 4)',
    [CREATE, READ, LIST, SET],
    overlapping([SET, CREATE], any, async (call, next, others, context) => {
      const reply = await next();
      if (hit(call, CREATE) && others.some(is(SET)) && succeeded(reply))
        await context.ask('DELETE', `/api${POLICY}/${String(parsed(reply))}`);
      return reply;
    }),
    ['reversible', 'global'],
  ),
  row(
    'both-orders-lost',
    WHOLE,
    [SET, ORDER],
    overlapping(SET, any, async (_, next, others) => (others.length > 0 ? empty() : next()), 8),
    ['reversible', 'global'],
  ),
  row(
    'orders-zipped',
    WHOLE,
    [SET, ORDER],
    overlapping(
      SET,
      any,
      async (call, next, others) => {
        const [wanted, other] = [asList(call.json), asList(others[0]?.json)];
        if (other.length !== wanted.length || other.length < 2) return next();
        const zipped = wanted.flatMap((entry, at) => [entry, other[at]]);
        return next(
          withBody(
            zipped
              .filter((entry, at) => zipped.findIndex((one) => idOf(one) === idOf(entry)) === at)
              .map((entry, order) => ({ ...asObject(entry), order })),
          ),
        );
      },
      4,
    ),
    ['reversible', 'global'],
  ),
  row(
    'order-read-mixed-while-set',
    WHOLE,
    [ORDER, SET],
    (context) => {
      let under = 0;
      return async (call, next) => {
        const setting = hit(call, { op: SET, when: (c) => c.role === 'full' && asList(c.json).length > 3 });
        if (setting) {
          under += 1;
          const [now, wanted] = [await orderOf(context), asList(call.json)];
          const head = wanted.slice(0, wanted.length >> 1);
          const known = new Set(head.map(idOf));
          await setOrderTo(context, [...head, ...now.filter((entry) => !known.has(idOf(entry)))]);
          await wait(12);
        }
        try {
          return await next();
        } finally {
          if (setting) under -= 1;
        }
      };
    },
    ['reversible', 'global'],
  ),
];

/** Creations that overlap are made twice. */
const doubled = (op: string): Make =>
  overlapping(op, any, async (_, next, others) => {
    if (others.length > 0) await next();
    return next();
  });

/** Acknowledges one of the overlapping calls with the answer that a read gives. */
const dropped = (
  op: string,
  key: (call: Call) => string,
  hold: number,
  when: (call: Call, others: readonly Call[]) => boolean = (_, others) => others.length > 0,
): Make =>
  overlapping(
    op,
    key,
    async (call, next, others, context) => {
      if (!when(call, others)) return next();
      const reply = await context.ask('GET', itself(call));
      return succeeded(reply) && /\/aijob\//i.test(call.path) ? reply : succeeded(reply) ? empty() : next();
    },
    hold,
  );

const later = (call: Call, others: readonly Call[]): boolean =>
  others.some((other) => (other.route?.form ?? '') !== (call.route?.form ?? ''));
const sameForm = (call: Call, others: readonly Call[]): boolean =>
  others.some((other) => other.route?.form === call.route?.form);

const WRITES: readonly Mutant[] = [
  row('creations-doubled', '200, uuid string (new policy id) (section 4)', [CREATE, LIST], doubled(CREATE)),
  row('agent-creations-doubled', 'POST /aiagent (section 4)', [NEW_AGENT, 'GET /aiagent'], doubled(NEW_AGENT)),
  row('job-creations-doubled', 'POST /aijob (section 4)', [NEW_JOB, 'GET /aijob'], doubled(NEW_JOB)),
  row('creations-swap-ids', '200, uuid string (new policy id) (section 4)', [CREATE, READ], () => {
    let waiting: { readonly give: (reply: Reply) => void; readonly reply: Reply } | undefined;
    return async (call, next) => {
      if (!hit(call, { op: CREATE, when: (c) => c.role === 'full' })) return next();
      const reply = await next();
      if (!succeeded(reply)) return reply;
      const other = waiting;
      waiting = undefined;
      if (other !== undefined) {
        other.give(reply);
        return other.reply;
      }
      return new Promise<Reply>((give) => {
        const own = { give, reply };
        waiting = own;
        void wait(10).then(() => {
          if (waiting === own) waiting = undefined;
          give(reply);
        });
      });
    };
  }),
  row(
    'creation-lost-to-a-deletion',
    '200, uuid string (new policy id) (section 4)',
    [CREATE, READ, LIST, DELETE],
    overlapping([CREATE, DELETE], any, async (call, next, others, context) => {
      const reply = await next();
      if (hit(call, CREATE) && others.some(is(DELETE)) && succeeded(reply))
        await context.ask('DELETE', `/api${POLICY}/${String(parsed(reply))}`);
      return reply;
    }),
  ),
  row(
    'activations-of-one-both-lost',
    'activate moves to active (section 3)',
    [ACTIVATE, LIST, READ],
    overlapping(ACTIVATE, mine, async (_, next, others) => (others.length > 0 ? empty() : next())),
  ),
  row(
    'deletions-of-one-both-lost',
    '404 resource does not exist (section 7)',
    [DELETE, READ, LIST],
    overlapping(DELETE, mine, async (_, next, others) => (others.length > 0 ? empty() : next())),
  ),
  row(
    'deletion-lost-to-an-activation',
    '404 resource does not exist (section 7)',
    [DELETE, ACTIVATE, READ, LIST],
    overlapping([DELETE, ACTIVATE], mine, async (call, next, others) =>
      hit(call, DELETE) && others.some(is(ACTIVATE)) ? empty() : next(),
    ),
  ),
  row(
    'deletion-lost-to-an-activation-of-another',
    '404 resource does not exist (section 7)',
    [DELETE, ACTIVATE, READ, LIST],
    overlapping([DELETE, ACTIVATE], any, async (call, next, others) =>
      hit(call, DELETE) && others.some((other) => is(ACTIVATE)(other) && otherThan(call)(other)) ? empty() : next(),
    ),
  ),
  row(
    'update-lost-to-a-deletion-of-another',
    ANSWERED,
    [UPDATE, DELETE, READ],
    overlapping([DELETE, UPDATE], any, async (call, next, others) =>
      hit(call, UPDATE) && others.some((other) => is(DELETE)(other) && otherThan(call)(other)) ? empty() : next(),
    ),
  ),
  row(
    'deactivation-lost-to-an-update',
    'deactivate moves to inactive (section 3)',
    [DEACTIVATE, UPDATE, LIST, READ],
    overlapping(
      [DEACTIVATE, UPDATE],
      mine,
      async (call, next, others) => (hit(call, DEACTIVATE) && others.some(is(UPDATE)) ? empty() : next()),
      3,
    ),
  ),
  row('updates-of-one-all-lost', ANSWERED, [UPDATE, READ], dropped(UPDATE, mine, 3)),
  row('updates-through-two-forms-lost', ANSWERED, [UPDATE, READ], dropped(UPDATE, mine, 8, later)),
  row('updates-of-one-all-lost-wide', ANSWERED, [UPDATE, READ], dropped(UPDATE, mine, 60, sameForm)),
  row(
    'update-of-another-lost-narrow',
    ANSWERED,
    [UPDATE, READ],
    dropped(UPDATE, any, 2, (call, others) => others.some(otherThan(call))),
  ),
  row(
    'job-update-of-another-lost',
    ANSWERED,
    [PUT_JOB, JOB],
    dropped(PUT_JOB, any, 10, (call, others) => others.some(otherThan(call))),
  ),
  row(
    'job-patch-of-another-lost',
    ANSWERED,
    [PATCH, JOB],
    dropped(PATCH, any, 10, (call, others) => others.some(otherThan(call))),
  ),
  row(
    'job-updates-cross',
    'PUT changes the job of that id (section 4)',
    [PUT_JOB, JOB],
    overlapping(PUT_JOB, any, async (call, next, others) => {
      const other = others.find(otherThan(call));
      return other === undefined || other.json === undefined
        ? next()
        : next(withBody({ ...asObject(call.json), name: asObject(other.json)['name'] }));
    }),
  ),
  row(
    'job-deletion-of-another-lost',
    '404 resource does not exist (section 7)',
    [DELETE_JOB, JOB, 'GET /aijob'],
    overlapping(DELETE_JOB, any, async (call, next, others) => (others.some(otherThan(call)) ? empty() : next())),
  ),
  row(
    'agent-updates-of-one-merge',
    ANSWERED,
    [PUT_AGENT, AGENT],
    overlapping(PUT_AGENT, mine, async (call, next, others) => {
      const other = asObject(others[0]?.json);
      return others.length > 0 && call.json !== undefined
        ? next(withBody({ ...asObject(call.json), description: other['description'] }))
        : next();
    }),
  ),
  row(
    'runs-of-one-job-coalesce',
    'queues a run now (section 4)',
    [QUEUE, RUNS],
    overlapping(
      QUEUE,
      mine,
      async (_, next, others) =>
        others.length > 0 ? json({ jobProgressId: '5f0c1d2e-7a64-4b57-9f40-0d6f5a2b1c3d' }) : next(),
      6,
    ),
    ['reversible', 'costly'],
  ),
  row(
    'approvals-at-once-one-lost',
    'approvals answer 200 (section 4)',
    [APPROVE, 'GET /aijob/{id}/results/{type}'],
    overlapping(APPROVE, mine, async (_, next, others) => (others.length > 0 ? empty() : next())),
    ['reversible', 'costly'],
  ),
];

/** Reads that come while a write is under way. */
const whileWriting = (
  write: string,
  read: string,
  key: (call: Call) => string,
  change: (reply: Reply, write: Call) => Reply,
  hold: number,
): Make =>
  overlapping(
    [write, read],
    key,
    async (call, next, others) => {
      const writing = others.find(is(write));
      const reply = await next();
      return hit(call, read) && writing !== undefined && succeeded(reply) ? change(reply, writing) : reply;
    },
    hold,
  );

const READS: readonly Mutant[] = [
  row(
    'read-torn-while-updated',
    'GET answers the policy (section 4)',
    [READ, UPDATE],
    whileWriting(
      UPDATE,
      READ,
      mine,
      (reply, write) =>
        withJson(reply, { ...asObject(parsed(reply)), name: asObject(write.json)['name'], description: null }),
      4,
    ),
  ),
  row(
    'job-read-torn-while-updated',
    'GET answers the job (section 4)',
    [JOB, PUT_JOB],
    whileWriting(
      PUT_JOB,
      JOB,
      mine,
      (reply, write) =>
        withJson(reply, { ...asObject(parsed(reply)), name: asObject(write.json)['name'], description: null }),
      3,
    ),
  ),
  row(
    'list-lacks-what-is-updated',
    'GET answers the array of policies (section 4)',
    [LIST, UPDATE],
    overlapping(
      [LIST, UPDATE],
      any,
      async (call, next, others) => {
        const busy = new Set(others.filter(is(UPDATE)).map(mine));
        const reply = await next();
        return hit(call, LIST) && busy.size > 0 && succeeded(reply)
          ? withJson(
              reply,
              withItems(
                parsed(reply),
                items(parsed(reply)).filter((item) => !busy.has(idOf(item))),
              ),
            )
          : reply;
      },
      5,
    ),
  ),
  row(
    'active-list-lacks-while-another-activated',
    'filterActive (section 3)',
    [LIST, ACTIVATE],
    overlapping([LIST, ACTIVATE], any, async (call, next, others, context) => {
      const reply = await next();
      if (hit(call, ACTIVATE) && succeeded(reply))
        for (const other of others.filter(is(ACTIVATE)).filter(otherThan(call)))
          await moveTo(context, mine(other), 'deactivate');
      return reply;
    }),
  ),
  row(
    'agent-read-of-another-while-read',
    'GET answers the agent of that id (section 4)',
    [AGENT],
    at(
      { op: AGENT, when: (call) => call.role === 'full' },
      (() => {
        let waiting: { readonly call: Call; readonly reply: Promise<Reply> } | undefined;
        return (call, next) => {
          const other = waiting;
          if (other !== undefined && mine(other.call) !== mine(call)) {
            waiting = undefined;
            return other.reply;
          }
          const reply = wait(3)
            .then(() => next())
            .finally(() => {
              if (waiting?.call === call) waiting = undefined;
            });
          waiting = { call, reply };
          return reply;
        };
      })(),
    ),
  ),
];

export const OVERLAP_2: readonly Mutant[] = [...ORDERS, ...WRITES, ...READS];
