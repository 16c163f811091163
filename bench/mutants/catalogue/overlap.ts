import { area } from '../define.ts';
import {
  asList,
  asObject,
  empty,
  hit,
  idOf,
  items,
  json,
  parsed,
  problem,
  succeeded,
  wait,
  withBody,
  withItems,
  withJson,
} from '../kit.ts';
import type { Call, Make, Mutant, Reply } from '../types.ts';
import { overlapping } from './parts.ts';

const define = area('overlap');
const POLICY = '/accesscontrolpolicies';
const [LIST, CREATE, READ] = [`GET ${POLICY}`, `POST ${POLICY}`, `GET ${POLICY}/{id}`];
const [UPDATE, DELETE] = [`PUT ${POLICY}/{id}`, `DELETE ${POLICY}/{id}`];
const [ACTIVATE, DEACTIVATE] = [`POST ${POLICY}/{id}/activate`, `POST ${POLICY}/{id}/deactivate`];
const [SET, ORDER] = [`POST ${POLICY}/setprocessingorder`, `GET ${POLICY}/byprocessingorder`];
const [PATCH, JOB] = ['PATCH /aijob/{id}', 'GET /aijob/{id}'];
const ANSWERED = '200: request succeeded (section 7)';
const row = (
  name: string,
  breaks: string,
  operations: readonly string[],
  make: Make,
  needs: Mutant['needs'] = ['reversible'],
): Mutant => define(name, breaks, operations, make, needs);

const mine = (call: Call): string => (call.route?.params['id'] ?? '').toLowerCase();

const WRITES: readonly Mutant[] = [
  row(
    'updates-merge',
    ANSWERED,
    [UPDATE, READ],
    overlapping(UPDATE, mine, async (call, next, others) => {
      const other = asObject(others[0]?.json);
      return others.length > 0 && call.json !== undefined
        ? next(withBody({ ...asObject(call.json), description: other['description'] }))
        : next();
    }),
  ),
  row(
    'updates-restore-the-old',
    ANSWERED,
    [UPDATE, READ],
    overlapping(UPDATE, mine, async (call, next, others, context) => {
      const before = parsed(await context.ask('GET', call.path));
      const reply = await next();
      if (others.length > 0 && succeeded(reply))
        setTimeout(() => void context.ask('PUT', call.path, before).catch(() => undefined), 40);
      return reply;
    }),
  ),
  row(
    'creation-lost',
    '200, uuid string (new policy id) (section 4)',
    [CREATE, READ, LIST],
    overlapping(
      CREATE,
      () => '',
      async (_, next, others, context) => {
        const reply = await next();
        if (others.length > 0 && succeeded(reply))
          await context.ask('DELETE', `/api/accesscontrolpolicies/${String(parsed(reply))}`);
        return reply;
      },
    ),
  ),
  row('creations-share-an-id', '200, uuid string (new policy id) (section 4)', [CREATE, READ, LIST], () => {
    let pending: Promise<Reply> | undefined;
    return (call, next) => {
      if (!hit(call, { op: CREATE, when: (c) => c.role === 'full' && c.json !== undefined })) return next();
      if (pending) return pending;
      const first = wait(8)
        .then(() => next())
        .finally(() => {
          pending = undefined;
        });
      pending = first;
      return first;
    };
  }),
  row(
    'update-drops-overlapping-activation',
    'activate moves to active (section 3)',
    [ACTIVATE, UPDATE, LIST, READ],
    overlapping([ACTIVATE, UPDATE], mine, async (call, next, others) =>
      call.route?.id === ACTIVATE && others.some((other) => other.route?.id === UPDATE) ? empty() : next(),
    ),
  ),
  row(
    'activation-of-another-dropped',
    'activate moves to active (section 3)',
    [ACTIVATE, LIST, READ],
    overlapping(
      ACTIVATE,
      () => '',
      async (call, next, others) => (others.some((other) => mine(other) !== mine(call)) ? empty() : next()),
    ),
  ),
  row(
    'deactivation-of-another-dropped',
    'deactivate moves to inactive (section 3)',
    [DEACTIVATE, LIST, READ],
    overlapping(
      [ACTIVATE, DEACTIVATE],
      () => '',
      async (call, next, others) =>
        call.route?.id === DEACTIVATE && others.some((other) => mine(other) !== mine(call)) ? empty() : next(),
    ),
  ),
  row(
    'delete-loses-against-update',
    '404 resource does not exist (section 7)',
    [DELETE, UPDATE, READ],
    overlapping([DELETE, UPDATE], mine, async (call, next, others) =>
      call.route?.id === DELETE && others.some((other) => other.route?.id === UPDATE) ? empty() : next(),
    ),
  ),
  row(
    'two-deletes-one-survivor',
    'DELETE answers 200 (section 4)',
    [DELETE, READ, LIST],
    overlapping(
      DELETE,
      () => '',
      async (call, next, others) => (others.some((other) => mine(other) !== mine(call)) ? empty() : next()),
    ),
  ),
  row(
    'updates-of-two-policies-cross',
    'PUT changes the policy of that id (section 4)',
    [UPDATE, READ],
    overlapping(
      UPDATE,
      () => '',
      async (call, next, others) => {
        const other = others.find((candidate) => mine(candidate) !== mine(call) && candidate.json !== undefined);
        return other === undefined ? next() : next({ body: other.body });
      },
    ),
  ),
  row(
    'update-of-another-dropped',
    ANSWERED,
    [UPDATE, READ],
    overlapping(
      UPDATE,
      () => '',
      async (call, next, others) => (others.some((other) => mine(other) !== mine(call)) ? empty() : next()),
    ),
  ),
  row(
    'overlap-500',
    '500 is an unexpected server error (section 7)',
    [UPDATE, ACTIVATE, DEACTIVATE],
    overlapping([UPDATE, ACTIVATE, DEACTIVATE], mine, async (_, next, others) =>
      others.length > 0 ? problem(500) : next(),
    ),
  ),
];

const ORDERS: readonly Mutant[] = [
  row(
    'orders-merge',
    'the processing order is set as a whole (section 3)',
    [SET, ORDER],
    overlapping(
      SET,
      () => '',
      async (call, next, others) => {
        const [wanted, other] = [asList(call.json), asList(others[0]?.json)];
        if (other.length < 2 || wanted.length < 2) return next();
        const head = other.slice(0, other.length >> 1);
        const known = new Set(head.map(idOf));
        return next(
          withBody(
            [...head, ...wanted.filter((entry) => !known.has(idOf(entry)))].map((entry, order) => ({
              ...asObject(entry),
              order,
            })),
          ),
        );
      },
      20,
    ),
    ['reversible', 'global'],
  ),
  row(
    'overlapping-order-then-ignored-for-good',
    'the processing order is set as a whole (section 3)',
    [SET, ORDER],
    (context) => {
      let broken = false;
      const inner = overlapping(
        SET,
        () => '',
        async (_, next, others) => {
          if (others.length > 0) broken = true;
          return broken ? empty() : next();
        },
        20,
      )(context);
      return inner;
    },
    ['reversible', 'global'],
  ),
  row(
    'order-read-torn-while-set',
    'the processing order is set as a whole (section 3)',
    [ORDER, SET],
    () => {
      let under = 0;
      return async (call, next) => {
        const setting = hit(call, { op: SET, when: (c) => c.role === 'full' });
        if (setting) {
          under += 1;
          await wait(15);
        }
        try {
          const reply = await next();
          if (!hit(call, ORDER) || under === 0 || !succeeded(reply)) return reply;
          const list = items(parsed(reply));
          return withJson(reply, withItems(parsed(reply), list.slice(0, Math.ceil(list.length / 2))));
        } finally {
          if (setting) under -= 1;
        }
      };
    },
    ['reversible', 'global'],
  ),
];

/** Answers the later of two overlapping reads with the other one's answer. */
const crossed =
  (op: string): Make =>
  (context) => {
    let waiting: { call: Call; reply: Promise<Reply> } | undefined;
    return (call, next) => {
      if (!hit(call, { op, when: (c) => c.role === 'full' }) || context.tokens.full === '') return next();
      const other = waiting;
      if (other !== undefined && mine(other.call) !== mine(call)) {
        waiting = undefined;
        return other.reply;
      }
      const reply = wait(4)
        .then(() => next())
        .finally(() => {
          if (waiting?.call === call) waiting = undefined;
        });
      waiting = { call, reply };
      return reply;
    };
  };

const READS: readonly Mutant[] = [
  row('reads-get-each-others-answers', 'GET answers the policy of that id (section 4)', [READ], crossed(READ)),
  row('job-reads-get-each-others-answers', 'GET answers the job of that id (section 4)', [JOB], crossed(JOB)),
  row(
    'read-404-while-updated',
    '404 resource does not exist (section 7)',
    [READ, UPDATE],
    overlapping(
      [READ, UPDATE],
      mine,
      async (call, next, others) =>
        call.route?.id === READ && others.some((other) => other.route?.id === UPDATE) ? problem(404) : next(),
      6,
    ),
  ),
  row(
    'list-empty-while-created',
    'GET answers the array of policies (section 4)',
    [LIST, CREATE],
    overlapping(
      [LIST, CREATE],
      () => '',
      async (call, next, others) => {
        const reply = await next();
        return call.route?.id === LIST && succeeded(reply) && others.some((other) => other.route?.id === CREATE)
          ? withJson(reply, withItems(parsed(reply), []))
          : reply;
      },
      6,
    ),
  ),
  row(
    'read-500-while-others-read',
    '500 is an unexpected server error (section 7)',
    [READ],
    overlapping(READ, mine, async (_, next, others) => (others.length > 1 ? problem(500) : next()), 4),
  ),
];

const PATCHES: readonly Mutant[] = [
  row(
    'patch-lost',
    ANSWERED,
    [PATCH, JOB],
    overlapping(PATCH, mine, async (call, next, others, context) =>
      others.length > 0 ? context.ask('GET', call.path) : next(),
    ),
  ),
  row(
    'patch-lost-to-update',
    ANSWERED,
    [PATCH, 'PUT /aijob/{id}', JOB],
    overlapping([PATCH, 'PUT /aijob/{id}'], mine, async (call, next, others, context) =>
      call.route?.id === 'PUT /aijob/{id}' && others.length > 0 ? context.ask('GET', call.path) : next(),
    ),
  ),
  row(
    'agent-update-of-another-dropped',
    ANSWERED,
    ['PUT /aiagent/{id}', 'GET /aiagent/{id}'],
    overlapping(
      'PUT /aiagent/{id}',
      () => '',
      async (_, next, others) => (others.length > 0 ? empty() : next()),
    ),
  ),
  row('job-creation-shared', '200, AiJobViewModel (section 4)', ['POST /aijob', JOB], () => {
    let pending: Promise<Reply> | undefined;
    return (call, next) => {
      if (!hit(call, { op: 'POST /aijob', when: (c) => c.role === 'full' && c.json !== undefined })) return next();
      const first =
        pending ??
        wait(8)
          .then(() => next())
          .finally(() => {
            pending = undefined;
          });
      pending = first;
      return first;
    };
  }),
  row(
    'queued-runs-coalesce-to-none',
    'queues a run now (section 4)',
    ['POST /aijob/{id}/execution-queue', 'GET /aijob/{id}/runs'],
    overlapping(
      'POST /aijob/{id}/execution-queue',
      () => '',
      async (_, next, others) =>
        others.length > 0 ? json({ jobProgressId: '5f0c1d2e-7a64-4b57-9f40-0d6f5a2b1c3d' }) : next(),
    ),
    ['reversible', 'costly'],
  ),
];

export const OVERLAP: readonly Mutant[] = [...WRITES, ...ORDERS, ...READS, ...PATCHES];
