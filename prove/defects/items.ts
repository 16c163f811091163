import { hit, itemId, served } from '../proxy/call.ts';
import type { CallPattern } from '../proxy/call.ts';
import { at, itemAt, listAt } from '../proxy/handler.ts';
import { asObject, idOf, items } from '../proxy/json.ts';
import type { JsonMap } from '../proxy/json.ts';
import { empty, parsed, relisted, succeeded } from '../proxy/reply.ts';
import type { Call, Context, Make, Reply } from '../proxy/message.ts';
import { AUDIT, POLICY } from './operations.ts';

/** Path of the policies, for extra requests. */
export const POLICIES_PATH = `/api${POLICY}`;

/** Path of the policy, agent or job that a request addresses, with its form. */
export const pathOfItem = (call: Call): string => (/^\/api(?:\/v1)?\/[^/]+\/[^/]+/i.exec(call.path) ?? [call.path])[0];

/** The policy, agent or job that a request addresses, as the target has it; without members if it does not exist. */
export const itemOf = (call: Call, context: Context): Promise<JsonMap> => itemAt(context, pathOfItem(call));

/** True if the policy that a request addresses is active. */
export const isActive = async (call: Call, context: Context): Promise<boolean> =>
  (await itemOf(call, context))['isActive'] === true;

/** True if the caller has every permission and the item exists. */
export const exists = async (call: Call, context: Context): Promise<boolean> =>
  served(call) && succeeded(await context.send('GET', pathOfItem(call)));

/** The parts of a clue that carry the same attributes: the clue, its data and its entity. */
export function clueParts(body: unknown): readonly [clue: JsonMap, data: JsonMap, entity: JsonMap] {
  const clue = asObject(asObject(body)['clue']);
  const data = asObject(asObject(clue['clueDetails'])['data']);
  return [clue, data, asObject(data['entityData'])];
}

/** Answers requests to an item that exists, and that meet `when`, with `answer` instead of carrying them out. */
export const forgets = (
  op: CallPattern,
  when: (call: Call, context: Context) => boolean | Promise<boolean>,
  answer: () => Reply = empty,
): Make =>
  at(op).handles(async (call, next, context) =>
    (await exists(call, context)) && (await when(call, context)) ? answer() : next(),
  );

/** Counts the calls for each item; true for those after the first `count`. */
export function after(count: number): (call: Call) => boolean {
  const seen = new Map<string, number>();
  return (call) => {
    const times = (seen.get(itemId(call)) ?? 0) + 1;
    seen.set(itemId(call), times);
    return times > count;
  };
}

/** Creates a policy; returns its id. */
export async function createPolicy(context: Context, body: JsonMap): Promise<string> {
  return String(parsed(await context.send('POST', POLICIES_PATH, body)));
}

/** The processing order of the target. */
export const orderOf = (context: Context): Promise<readonly unknown[]> =>
  listAt(context, `${POLICIES_PATH}/byprocessingorder`);

/** Sets the processing order of the target. */
export async function setOrderTo(context: Context, entries: readonly unknown[]): Promise<void> {
  await context.send(
    'POST',
    `${POLICIES_PATH}/setprocessingorder`,
    entries.map((entry, order) => ({ ...asObject(entry), order })),
  );
}

/** Activates or deactivates a policy of the target. */
export const moveTo = (context: Context, id: string, name: 'activate' | 'deactivate'): Promise<Reply> =>
  context.send('POST', `${POLICIES_PATH}/${id}/${name}`);

/** Answers the reads that are `stale` with their first response; `forget` removes known responses after a success. */
export const frozen =
  (
    stale: (call: Call) => boolean,
    key: (call: Call) => string,
    forget: (call: Call, known: Map<string, Reply>) => void = () => undefined,
  ): Make =>
  () => {
    const known = new Map<string, Reply>();
    return async (call, next) => {
      if (!served(call) || call.route === undefined) return next();
      const old = stale(call) ? known.get(key(call)) : undefined;
      if (old !== undefined) return old;
      const reply = await next();
      if (succeeded(reply)) forget(call, known);
      if (stale(call) && succeeded(reply)) known.set(key(call), reply);
      return reply;
    };
  };

/** Hides items, given by their ids in lower case, from reads, lists and the order; the audit log still shows them. */
export function hiding(hidden: ReadonlySet<string>, call: Call, reply: Reply): Reply {
  if (!succeeded(reply) || call.method !== 'GET') return reply;
  if (hidden.has(itemId(call)) && !hit(call, AUDIT)) return empty(404);
  return items(parsed(reply)).some((item) => hidden.has(idOf(item)))
    ? relisted(reply, (list) => list.filter((item) => !hidden.has(idOf(item))))
    : reply;
}
