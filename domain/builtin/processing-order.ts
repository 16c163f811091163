import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, isSuccess } from '../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation } from '../../spec/index.ts';
import { Skip, settled } from '../context.ts';
import type { ApiContext, RequestSpec } from '../context.ts';
import { idsOf, itemsOf } from '../items.ts';
import type { ApiKnowledge } from '../knowledge.ts';
import { validRequest } from '../requests.ts';
import type { Judging } from '../requests.ts';
import type { SampleContext } from './bodies/sample-body.ts';
import { operationOf } from './operations.ts';
import { ORDER_NAME } from './restore-order.ts';

/** Reads the processing order. */
export function readOrder(t: ApiContext, form?: Form): Promise<Exchange> {
  const request = { expect: 'success', label: 'read the processing order' } as const;
  return t.send(operationOf(t, 'order'), { ...request, ...(form === undefined ? {} : { form }) });
}

/** The processing order as it is, ready to be set again. */
export async function currentOrder(t: ApiContext, given?: Exchange): Promise<NonNullable<SampleContext['ordering']>> {
  const read = given ?? (await readOrder(t));
  const entries = itemsOf(read.response?.json);
  if (entries === undefined) throw new Skip('the processing order cannot be read');
  return entries.filter(isObject).flatMap((entry) => {
    const { id, ...rest } = asSent(entry);
    return typeof id === 'string' ? [{ ...rest, id }] : [];
  });
}

/** The members with the names that requests have, where a deployment shows them as `Id` and `Order`. */
function asSent(entry: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  );
}

/** Most attempts to set an order while others change it. */
const TRIES = 5;

/** Writes the processing order to the journal; to be awaited before anything sets it. Once a run. */
export function saveOrder(t: ApiContext): Promise<void> {
  return t.once('save the processing order', async () => {
    const order = await currentOrder(t);
    await t.journal.saveGlobal(
      ORDER_NAME,
      order.map((each) => each.id),
    );
  });
}

/** Most policies of an order that are looked for. */
const MOST_LOOKS = 200;

export const NAMES_DELETED = 'the order as it is read lists a deleted policy, and is refused for it';

/**
 * True where an order that was refused names a deleted policy, which is then the reason. That the order still lists it after
 * the settle time is reported.
 */
export async function namesDeletedPolicy(
  t: ApiContext,
  listed: readonly string[],
  refused: Exchange,
): Promise<boolean> {
  const [order, read] = [operationOf(t, 'order'), operationOf(t, 'readPolicy')];
  const own = listed.filter((id) => t.isOwn(id));
  for (const id of own.slice(-MOST_LOOKS)) {
    const seen = await t.sendQuietly(read, { path: { id }, label: 'read a policy that the order lists' });
    if (seen.response?.status !== 404) continue;
    let last: Exchange | undefined;
    const isGone = await settled(t, async () => {
      last = await t.sendQuietly(order, { label: 'read the processing order' });
      return idsOf(last.response?.json)?.includes(id) !== true;
    });
    if (isGone || last === undefined) return true;
    t.report({
      code: 'deleted-is-gone/in-processing-order',
      requirement: 'policies.delete-removes',
      operation: order,
      message: `${order.id}: a deleted policy is still in the processing order`,
      expected: `${id} is not in it`,
      received: 'it is',
      exchanges: [refused, seen, last],
    });
    return true;
  }
  return false;
}

/** Consecutive refusals of an order that names exactly the existing policies, before a refusal counts. */
const STEADY = 3;

/** The last order that the run sets, by the knowledge of the run. */
const turns = new WeakMap<ApiKnowledge, Promise<unknown>>();

/**
 * Sets a valid order, changed by `change`. An order that was refused while others changed policies, or while reads may
 * be stale, is read again and repeated. Throws {@link Skip} where the policies never hold still. Orders of the same run
 * wait for each other: a deployment may refuse overlapping ones with 409.
 */
export function sendOrder(
  t: ApiContext & Judging,
  operation: Operation,
  form: Form,
  change: (request: RequestSpec) => RequestSpec,
): Promise<Exchange> {
  const send = (): Promise<Exchange> => repeatedly(t, operation, form, change);
  const sent = (turns.get(t.knowledge) ?? Promise.resolve()).then(send, send);
  turns.set(t.knowledge, sent);
  return sent;
}

async function repeatedly(
  t: ApiContext & Judging,
  operation: Operation,
  form: Form,
  change: (request: RequestSpec) => RequestSpec,
): Promise<Exchange> {
  const { settleMs } = t;
  const began = Date.now();
  let refused = 0;
  for (let attempt = 0; attempt < TRIES || Date.now() - began <= 2 * settleMs; attempt += 1) {
    const isLast = Date.now() - began >= settleMs;
    const request = await validRequest(t, operation, form);
    const exchange = await t.sendQuietly(operation, change(request));
    const isServed = isSuccess(exchange.response?.status ?? 0);
    refused = isLast && !isServed && sameEntries(request.json, await currentOrder(t)) ? refused + 1 : 0;
    if (isServed || refused >= STEADY) {
      if (!isServed && (await namesDeletedPolicy(t, idsOf(request.json) ?? [], exchange)))
        throw new Skip(NAMES_DELETED);
      return t.judge(operation, exchange, change(request).expect);
    }
    await sleep(settleMs / TRIES);
  }
  throw new Skip('others change the policies faster than their order can be set');
}

/** True where an order names exactly the existing policies. */
function sameEntries(sent: Json | undefined, now: readonly { readonly id: string }[]): boolean {
  const ids = idsOf(sent) ?? [];
  const known = new Set(now.map((each) => each.id.toLowerCase()));
  return ids.length === known.size && ids.every((id) => known.has(id));
}
