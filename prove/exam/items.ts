import { asObject, at, empty, idOf, items, parsed, relisted, succeeded } from '../proxy/edit.ts';
import type { Call, Context, Make, Reply } from '../proxy/message.ts';
import { POLICY } from './operations.ts';

/** The id that a path begins with, of a policy, an agent or a job, in lower case. */
export const mine = (call: Call): string =>
  (call.route?.params['id'] ?? call.route?.params['jobId'] ?? '').toLowerCase();

/** Path of the item that a path is about. */
export const itself = (call: Call): string => (/^\/api(?:\/v1)?\/[^/]+\/[^/]+/i.exec(call.path) ?? [call.path])[0];

/** True for a caller that may, where the item is there. */
export const exists = async (call: Call, context: Context): Promise<boolean> =>
  call.role === 'full' && succeeded(await context.send('GET', itself(call)));

/** Does something more after a success. */
export const also = (
  op: string | readonly string[],
  more: (call: Call, context: Context, reply: Reply) => unknown,
): Make =>
  at(op, async (call, next, context) => {
    const reply = await next();
    if (succeeded(reply)) await more(call, context, reply);
    return reply;
  });

/** Acknowledges, where `when` says so, what would have worked, and forgets it. */
export const forgets = (
  op: string | readonly string[],
  when: (call: Call, context: Context) => boolean | Promise<boolean>,
  answer: (call: Call, context: Context) => Reply | Promise<Reply> = () => empty(),
): Make =>
  at(op, async (call, next, context) =>
    (await exists(call, context)) && (await when(call, context)) ? answer(call, context) : next(),
  );

/** Counts calls by a key; true from the `after`th on. */
export function after(count: number, key: (call: Call) => string = mine): (call: Call) => boolean {
  const seen = new Map<string, number>();
  return (call) => {
    const times = (seen.get(key(call)) ?? 0) + 1;
    seen.set(key(call), times);
    return times > count;
  };
}

/** The processing order of the healthy service. */
export async function orderOf(context: Context): Promise<readonly unknown[]> {
  return items(parsed(await context.send('GET', `/api${POLICY}/byprocessingorder`)));
}

/** Sets the processing order of the healthy service. */
export async function setOrderTo(context: Context, entries: readonly unknown[]): Promise<void> {
  await context.send(
    'POST',
    `/api${POLICY}/setprocessingorder`,
    entries.map((entry, order) => ({ ...asObject(entry), order })),
  );
}

export const moveTo = (context: Context, id: string, name: 'activate' | 'deactivate'): Promise<Reply> =>
  context.send('POST', `/api${POLICY}/${id}/${name}`);

/** Answers a read as it was when it was asked first; `stale` says which reads, `forget` which calls make it look again. */
export const frozen =
  (
    stale: (call: Call) => boolean,
    key: (call: Call) => string,
    forget: (call: Call, known: Map<string, Reply>) => void = () => undefined,
  ): Make =>
  () => {
    const known = new Map<string, Reply>();
    return async (call, next) => {
      if (call.role !== 'full' || call.route === undefined) return next();
      const old = stale(call) ? known.get(key(call)) : undefined;
      if (old !== undefined) return old;
      const reply = await next();
      if (succeeded(reply)) forget(call, known);
      if (stale(call) && succeeded(reply)) known.set(key(call), reply);
      return reply;
    };
  };

/** Hides items, by lower-case id, from reading, from lists and from the order. */
export async function hiding(hidden: ReadonlySet<string>, call: Call, reply: Reply): Promise<Reply> {
  if (!succeeded(reply) || call.method !== 'GET') return reply;
  if (hidden.has(mine(call))) return empty(404);
  return items(parsed(reply)).some((item) => hidden.has(idOf(item)))
    ? relisted(reply, (list) => list.filter((item) => !hidden.has(idOf(item))))
    : reply;
}
