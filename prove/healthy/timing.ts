import { hit, itemId, served, withQuery } from '../proxy/call.ts';
import { wait } from '../proxy/handler.ts';
import { asObject, idOf, items } from '../proxy/json.ts';
import { empty, parsed, problem, relisted, succeeded, withHeader } from '../proxy/reply.ts';
import type { Call, Context, Make, Reply } from '../proxy/message.ts';
import { passThrough } from '../proxy/compose.ts';
import { createPolicy, exists, moveTo, orderOf, POLICIES_PATH, setOrderTo } from '../defects/items.ts';
import { pageOf } from './pages.ts';
import { htmlPage } from './wire.ts';
import { GATEWAY, LATE, variation } from './variation.ts';
import type { Variation } from './variation.ts';
import {
  ACTIVATE,
  CREATE,
  DEACTIVATE,
  DELETE,
  LIST,
  ORDER,
  PATCH,
  READ,
  READ_AGENT,
  READ_JOB,
  SET,
  UPDATE,
  UPDATE_AGENT,
  UPDATE_JOB,
} from '../defects/operations.ts';

export const OTHERS = 'others work on the same deployment';
const retry = (status: number): Reply => withHeader(problem(status), 'retry-after', '1');

/** A rate limit of 50 requests per second with bursts of 20; answers `reply` to those that exceed it. */
const rateLimit =
  (reply: Reply): Make =>
  () => {
    const [rate, burst] = [50, 20];
    let [tokens, last] = [burst, performance.now()];
    return (_, next) => {
      const now = performance.now();
      tokens = Math.min(burst, tokens + ((now - last) / 1000) * rate);
      last = now;
      if (tokens < 1) return reply;
      tokens -= 1;
      return next();
    };
  };

/** Answers every nth request with `reply`. */
const eachNth =
  (n: number, reply: () => Reply): Make =>
  () => {
    let count = 0;
    return (_, next) => {
      count += 1;
      return count % n === 0 ? reply() : next();
    };
  };

/** Waits before each request, in milliseconds. */
export const slow =
  (delay: () => number): Make =>
  () =>
  async (_, next) => {
    await wait(delay());
    return next();
  };

/** Reads come from a cache for up to 700 ms. */
const cached: Make = () => {
  const known = new Map<string, { at: number; reply: Reply }>();
  return async (call, next) => {
    if (call.method !== 'GET') return next();
    const key = `${call.role} ${call.headers['accept'] ?? ''} ${call.path.toLowerCase()}?${call.query}`;
    const old = known.get(key);
    if (old && performance.now() - old.at < 700) return old.reply;
    const at = performance.now();
    const reply = await next();
    if (reply.status < 500) known.set(key, { at, reply });
    return reply;
  };
};

/** New items appear in lists and in reads only after some time. */
export const hidesCreated =
  (milliseconds: number): Make =>
  () => {
    const since = new Map<string, number>();
    const hidden = (id: string): boolean => performance.now() - (since.get(id) ?? -Infinity) < milliseconds;
    return async (call, next) => {
      const reply = await next();
      if (!succeeded(reply)) return reply;
      if (hit(call, CREATE)) since.set(String(parsed(reply)).toLowerCase(), performance.now());
      if (hit(call, ['POST /aijob', 'POST /aiagent'])) since.set(idOf(parsed(reply)), performance.now());
      if (hit(call, [READ, READ_JOB, READ_AGENT]) && hidden(itemId(call))) return problem(404);
      if (hit(call, [ORDER, 'GET /aijob', 'GET /aiagent']))
        return relisted(reply, (list) => list.filter((item) => !hidden(idOf(item))));
      if (!hit(call, LIST)) return reply;
      const whole = items(parsed(await next(withQuery(call, { page: 0, take: 100_000 }))));
      const page = pageOf(
        call,
        whole.filter((item) => !hidden(idOf(item))),
      );
      return page === undefined ? reply : relisted(reply, () => page);
    };
  };

/** Activations and deactivations happen 600 ms after their response; other writes to the same policy `wait` for them, or do not. */
export const lateActivations =
  (others: 'wait' | 'go on'): Make =>
  (context) => {
    const pending = new Map<string, Promise<unknown>>();
    return async (call, next) => {
      const id = itemId(call);
      const isActivation = hit(call, { op: [ACTIVATE, DEACTIVATE], when: served });
      if (others === 'wait' && call.method !== 'GET' && !isActivation) await pending.get(id);
      if (!isActivation || !(await exists(call, context))) return next();
      const before = pending.get(id) ?? Promise.resolve();
      pending.set(
        id,
        Promise.all([before, wait(600)])
          .then(() => next())
          .catch(() => undefined),
      );
      return empty();
    };
  };

const ITEMS = [READ, UPDATE, DELETE, READ_JOB, UPDATE_JOB, PATCH, READ_AGENT, UPDATE_AGENT] as const;

/** What {@link lateReads} shows late: `order`, or the id of a policy, a job or an agent. */
export function subjectOf(call: Call): string | undefined {
  if (hit(call, [ORDER, SET])) return 'order';
  return hit(call, ITEMS) ? itemId(call) : undefined;
}

/** Reads of a policy, a job, an agent or the order show the state of some time ago. */
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
      const before = await context.send('GET', key === 'order' ? `${POLICIES_PATH}/byprocessingorder` : call.path);
      const reply = await next();
      if (succeeded(reply) && succeeded(before)) history.push({ at: performance.now(), before });
      return reply;
    };
  };

/** Swaps the first and the last of the policies of {@link others} in the order. */
async function swapInOrder(context: Context): Promise<void> {
  const order = await orderOf(context);
  const own = order.filter((entry) => String(asObject(entry)['name']).startsWith('others'));
  const [first, last] = [own[0], own.at(-1)];
  await setOrderTo(
    context,
    order.map((entry) => (entry === first ? last : entry === last ? first : entry)),
  );
}

/** Repeats something with a pause in between; returns how to stop it. */
export function repeatedly(pauseMs: number, turn: (count: number) => Promise<void>): () => Promise<void> {
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

/** Another user who creates, updates, activates and deletes items of his own, and with `ordering` orders them. */
export const others =
  (pauseMs: number, ordering: boolean) =>
  (context: Context): (() => Promise<void>) => {
    const ids: string[] = [];
    const turn = async (count: number): Promise<void> => {
      ids.push(await createPolicy(context, { name: `others ${count}`, description: 'busy' }));
      const some = ids[count % ids.length] ?? '';
      await context.send('PUT', `${POLICIES_PATH}/${some}`, { name: `others ${count} again`, description: 'busier' });
      await moveTo(context, some, count % 2 === 0 ? 'activate' : 'deactivate');
      if (ids.length > 12) await context.send('DELETE', `${POLICIES_PATH}/${ids.shift() ?? ''}`);
      if (ordering && count % 8 === 0) await swapInOrder(context);
      if (count % 5 === 0) {
        const job = idOf(parsed(await context.send('POST', '/api/aijob', { name: `others ${count}` })));
        if (job !== '') await context.send('DELETE', `/api/aijob/${job}`);
      }
    };
    return repeatedly(pauseMs, turn);
  };

/** Rate limits, delays, eventual consistency, and other users at work. */
export const TIMING: readonly Variation[] = [
  variation('rate-limited-429', `${GATEWAY}; rate limits: not shown (api.md 8)`).by(rateLimit(retry(429))),
  variation(
    'rate-limited-503-page',
    'nginx limits rates with 503, a page of its own and no Retry-After; rate limits: not shown (api.md 8)',
  ).by(rateLimit(htmlPage(503))),
  variation('503-each-80th', GATEWAY).by(eachNth(80, () => retry(503))),
  variation('502-each-97th', 'a gateway may ask for a repetition with Retry-After (RFC 9110)').by(
    eachNth(97, () => retry(502)),
  ),
  variation('429-with-date', `${GATEWAY}; Retry-After may be a date`).by(
    eachNth(150, () => withHeader(problem(429), 'retry-after', new Date(Date.now() + 1000).toUTCString())),
  ),
  variation('slow', 'response times: not shown').by(slow(() => 30 + Math.random() * 120)),
  variation('slow-at-times', 'response times: not shown').by(slow(() => (Math.random() < 0.01 ? 2000 : 0))),
  variation('cache-700-ms', `${LATE}; eventual consistency`).by(cached),
  variation('created-shows-late', LATE).by(hidesCreated(600)),
  variation('switches-late', LATE).by(lateActivations('wait')),
  variation('changes-show-late', LATE).by(lateReads(700)),
  variation('others-busy-and-ordering', OTHERS).by(passThrough, { actor: others(25, true) }),
];
