import {
  asObject,
  at,
  empty,
  hit,
  idOf,
  items,
  number,
  parsed,
  problem,
  relisted,
  succeeded,
  wait,
  withHeader,
  withItems,
  withJson,
  withQuery,
} from '../proxy/edit.ts';
import type { Call, Context, Make, Reply } from '../proxy/message.ts';
import { passThrough } from '../proxy/compose.ts';
import { mine } from '../exam/items.ts';
import { variation } from './variation.ts';
import type { Variation } from './variation.ts';
import {
  ACTIVATE,
  CREATE,
  DEACTIVATE,
  DELETE,
  DRY_RUN,
  LIST,
  ORDER,
  PATCH,
  POLICY,
  QUEUE,
  READ,
  READ_AGENT,
  READ_JOB,
  RUNS,
  SET,
  UPDATE,
  UPDATE_AGENT,
  UPDATE_JOB,
} from '../exam/operations.ts';

const LATE = 'policy changes can go through an approval pipeline, so that a 200 may take effect late (platform.md)';
const GATEWAY = '429 and 503 with Retry-After come from a gateway (platform.md)';
const retry = (status: number, seconds: number): Reply => withHeader(problem(status), 'retry-after', String(seconds));

/** 50 requests a second, and 20 at once. */
export function bucket(rate: number, burst: number): Make {
  return () => {
    let [tokens, last] = [burst, performance.now()];
    return (_, next) => {
      const now = performance.now();
      tokens = Math.min(burst, tokens + ((now - last) / 1000) * rate);
      last = now;
      if (tokens < 1) return retry(429, 1);
      tokens -= 1;
      return next();
    };
  };
}

export const eachNth =
  (n: number, reply: Reply): Make =>
  () => {
    let count = 0;
    return (_, next) => {
      count += 1;
      return count % n === 0 ? reply : next();
    };
  };

export const slow =
  (delay: () => number): Make =>
  () =>
  async (_, next) => {
    await wait(delay());
    return next();
  };

/** Reads come from a cache that is up to so old. */
const cached =
  (milliseconds: number): Make =>
  () => {
    const known = new Map<string, { at: number; reply: Reply }>();
    return async (call, next) => {
      if (call.method !== 'GET') return next();
      const key = `${call.role} ${call.headers['accept'] ?? ''} ${call.path.toLowerCase()}?${call.query}`;
      const old = known.get(key);
      if (old && performance.now() - old.at < milliseconds) return old.reply;
      const at = performance.now();
      const reply = await next();
      if (reply.status < 500) known.set(key, { at, reply });
      return reply;
    };
  };

/** What was created shows in lists, and where wanted by its id, only later. */
export const hidesCreated =
  (milliseconds: number, byId: boolean): Make =>
  () => {
    const since = new Map<string, number>();
    const hidden = (id: string): boolean => performance.now() - (since.get(id) ?? -Infinity) < milliseconds;
    return async (call, next) => {
      const reply = await next();
      if (!succeeded(reply)) return reply;
      if (hit(call, CREATE)) since.set(String(parsed(reply)).toLowerCase(), performance.now());
      if (hit(call, ['POST /aijob', 'POST /aiagent'])) since.set(idOf(parsed(reply)), performance.now());
      if (byId && hit(call, [READ, READ_JOB, READ_AGENT]) && hidden(mine(call))) return problem(404);
      if (hit(call, [ORDER, 'GET /aijob', 'GET /aiagent']))
        return relisted(reply, (list) => list.filter((item) => !hidden(idOf(item))));
      if (!hit(call, LIST)) return reply;
      const whole = items(parsed(await next(withQuery(call, { page: 0, take: 100_000 })))).filter(
        (item) => !hidden(idOf(item)),
      );
      const [page, take] = [number(call, 'page', 0), number(call, 'take', 20)];
      return page < 0 || take < 1
        ? reply
        : withJson(reply, withItems(parsed(reply), whole.slice(page * take, (page + 1) * take)));
    };
  };

/** Activation and deactivation happen a while after they were acknowledged; other writes to the same policy wait for them. */
const lateSwitches =
  (milliseconds: number): Make =>
  (context) => {
    const under = new Map<string, Promise<unknown>>();
    return async (call, next) => {
      const id = mine(call);
      const switching = hit(call, { op: [ACTIVATE, DEACTIVATE], when: (c) => c.role === 'full' });
      if (call.method !== 'GET' && !switching) await under.get(id);
      if (!switching || !succeeded(await context.send('GET', call.path.replace(/\/(?:de)?activate\/?$/i, ''))))
        return next();
      const before = under.get(id) ?? Promise.resolve();
      under.set(
        id,
        Promise.all([before, wait(milliseconds)])
          .then(() => next())
          .catch(() => undefined),
      );
      return empty();
    };
  };

const SINGLES = [READ, UPDATE, DELETE, READ_JOB, UPDATE_JOB, PATCH, READ_AGENT, UPDATE_AGENT];

/** What {@link lateReads} shows late: `order`, or the id of a policy, a job or an agent. */
export function subjectOf(call: Call): string | undefined {
  if (hit(call, [ORDER, SET])) return 'order';
  return hit(call, SINGLES) ? mine(call) : undefined;
}

/** A policy, a job, an agent or the order reads as it was so long ago. */
export const lateReads =
  (milliseconds: number): Make =>
  (context) => {
    const writes = new Map<string, { readonly at: number; readonly before: Reply }[]>();
    return async (call, next) => {
      const key = subjectOf(call);
      if (key === undefined || call.role !== 'full') return next();
      const history = writes.get(key) ?? [];
      writes.set(key, history);
      if (call.method === 'GET')
        return history.find(({ at: written }) => written > performance.now() - milliseconds)?.before ?? next();
      const before = await context.send('GET', key === 'order' ? `/api${POLICY}/byprocessingorder` : call.path);
      const reply = await next();
      if (succeeded(reply) && succeeded(before)) history.push({ at: performance.now(), before });
      return reply;
    };
  };

/** Queued runs show a while after they were queued. */
const lateRuns =
  (milliseconds: number): Make =>
  (context) => {
    const since = new Map<string, number>();
    return at([QUEUE, RUNS, DRY_RUN], async (call, next) => {
      const reply = await next();
      if (!succeeded(reply)) return reply;
      if (call.method === 'POST') since.set(mine(call), performance.now());
      const fresh = performance.now() - (since.get(mine(call)) ?? -Infinity) < milliseconds;
      return call.method === 'GET' && fresh ? withJson(reply, withItems(parsed(reply), [])) : reply;
    })(context);
  };

async function shuffleOrder(context: Context): Promise<void> {
  const order = items(parsed(await context.send('GET', `/api${POLICY}/byprocessingorder`)));
  const own = order.filter((entry) => String(asObject(entry)['name']).startsWith('others'));
  const [first, last] = [own[0], own.at(-1)];
  const swapped = order.map((entry) => (entry === first ? last : entry === last ? first : entry));
  await context.send(
    'POST',
    `/api${POLICY}/setprocessingorder`,
    swapped.map((entry, index) => ({ ...asObject(entry), order: index })),
  );
}

/** Takes turn after turn; the answer ends that. */
export function atWork(pauseMs: number, turn: (count: number) => Promise<void>): () => Promise<void> {
  const state = { going: true };
  const done = (async () => {
    for (let count = 0; state.going; count += 1) {
      await turn(count).catch(() => undefined);
      await wait(pauseMs);
    }
  })();
  return async () => {
    state.going = false;
    await done;
  };
}

/** Somebody else who creates, updates, activates and deletes what is his own, and orders it where wanted. */
export const others =
  (pause: number, ordering: boolean) =>
  (context: Context): (() => Promise<void>) => {
    const ids: string[] = [];
    const turn = async (count: number): Promise<void> => {
      const made = parsed(
        await context.send('POST', `/api${POLICY}`, { name: `others ${count}`, description: 'busy' }),
      );
      if (typeof made === 'string') ids.push(made);
      const some = ids[count % Math.max(1, ids.length)] ?? '';
      await context.send('PUT', `/api${POLICY}/${some}`, { name: `others ${count} again`, description: 'busier' });
      await context.send('POST', `/api${POLICY}/${some}/${count % 2 === 0 ? 'activate' : 'deactivate'}`);
      if (ids.length > 12) await context.send('DELETE', `/api${POLICY}/${ids.shift() ?? ''}`);
      if (ordering && count % 8 === 0) await shuffleOrder(context);
      if (count % 5 === 0) {
        const job = idOf(parsed(await context.send('POST', '/api/aijob', { name: `others ${count}` })));
        if (job !== '') await context.send('DELETE', `/api/aijob/${job}`);
      }
    };
    return atWork(pause, turn);
  };

export const TIMING: readonly Variation[] = [
  variation('rate-limited-429', `${GATEWAY}; rate limits: not shown (api.md 8)`, bucket(50, 20)),
  variation('rate-limited-200', `${GATEWAY}; rate limits: not shown (api.md 8)`, bucket(200, 40)),
  variation('503-each-80th', GATEWAY, eachNth(80, retry(503, 1))),
  variation('429-at-once', GATEWAY, eachNth(20, retry(429, 0))),
  variation('502-each-97th', 'a gateway that asks for a repeat by Retry-After (RFC 9110)', eachNth(97, retry(502, 1))),
  variation('503-two-seconds', GATEWAY, eachNth(250, retry(503, 2))),
  variation('429-with-date', `${GATEWAY}; Retry-After may be a date`, () => {
    let count = 0;
    return (_, next) => {
      count += 1;
      return count % 150 === 0
        ? withHeader(problem(429), 'retry-after', new Date(Date.now() + 1000).toUTCString())
        : next();
    };
  }),
  variation(
    'slow',
    'response times: not shown',
    slow(() => 30 + Math.random() * 120),
  ),
  variation(
    'slow-at-times',
    'response times: not shown',
    slow(() => (Math.random() < 0.01 ? 2000 : 0)),
  ),
  variation('cache-700-ms', `${LATE}; eventual consistency`, cached(700)),
  variation('created-listed-late', LATE, hidesCreated(700, false)),
  variation('created-shows-late', LATE, hidesCreated(600, true)),
  variation('switches-late', LATE, lateSwitches(600)),
  variation('changes-show-late', LATE, lateReads(700)),
  variation('runs-show-late', 'a run is queued (api.md 4)', lateRuns(700)),
  variation('others-busy', 'others work on the same deployment', passThrough, { actor: others(25, false) }),
  variation('others-busy-and-ordering', 'others work on the same deployment', passThrough, { actor: others(40, true) }),
  variation(
    'others-busy-and-slow',
    'others work on the same deployment',
    slow(() => 10 + Math.random() * 40),
    { actor: others(60, true) },
  ),
];
