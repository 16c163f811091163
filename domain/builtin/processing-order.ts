import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../spec/index.ts';
import type { Exchange, Form, Json, JsonObject, Operation } from '../../spec/index.ts';
import { Skip, settled } from '../context.ts';
import type { ApiContext, RequestSpec } from '../context.ts';
import { idsOf, itemsIn } from '../items.ts';
import type { ApiKnowledge } from '../knowledge.ts';
import { validRequest } from '../requests.ts';
import type { ResponseJudge } from '../requests.ts';
import type { SampleContext } from './bodies/sample-body.ts';
import { operationOf } from './operations.ts';
import { ORDER_NAME } from './restore-order.ts';

export function readOrder(t: ApiContext, form?: Form): Promise<Exchange> {
  const request = { expect: 'success', label: 'read the processing order' } as const;
  return t.send(operationOf(t, 'order'), { ...request, ...(form === undefined ? {} : { form }) });
}

/** The processing order as it is, ready to be set again. */
export async function currentOrder(t: ApiContext, given?: Exchange): Promise<NonNullable<SampleContext['ordering']>> {
  const read = given ?? (await readOrder(t));
  const entries = itemsIn(read);
  if (entries === undefined) throw new Skip('the processing order cannot be read');
  return entries.filter(isObject).flatMap((entry) => {
    const { id, name, ...rest } = asSent(entry);
    if (typeof id !== 'string') return [];
    // A list with names of a wrong type is a violation of its own: they would make the order invalid.
    return [{ ...(name === undefined ? {} : { name: typeof name === 'string' ? name : id }), ...rest, id }];
  });
}

/** An entry with the member names of requests, where a deployment returns them as `Id` and `Order`. */
function asSent(entry: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  );
}

/** Attempts to set an order while others change it; more within the settle time. */
const ATTEMPTS = 5;

/** The saved order of the policies of others, and the tests that may be changing it. */
interface SavedOrder {
  readonly tests: Set<ApiContext>;
  /** True once a test sets orders that need not keep the policies of others as they are. */
  mayMove: boolean;
  ids: Promise<readonly string[]> | undefined;
  /** The order of the policies of others when the last test ended. */
  last?: readonly string[];
  /** True once others have changed it while no test did. */
  isChanging: boolean;
}

/** By the knowledge of the run. What tests share is forgotten before they run again; this is what the journal restores. */
const savedOrders = new WeakMap<ApiKnowledge, SavedOrder>();

function savedOrder({ knowledge }: ApiContext): SavedOrder {
  const saved = savedOrders.get(knowledge) ?? { tests: new Set(), mayMove: false, ids: undefined, isChanging: false };
  savedOrders.set(knowledge, saved);
  return saved;
}

async function orderOfOthers(t: ApiContext): Promise<readonly string[]> {
  const read = await t.sendQuietly(operationOf(t, 'order'), { label: 'read the processing order' });
  return (await currentOrder(t, read)).map(({ id }) => id.toLowerCase()).filter((id) => !t.isOwn(id));
}

/**
 * Writes the order of the policies of others to the journal, to be restored; to be awaited before a test sets an order.
 * `mayMove`: what the test sends may be accepted and move them, as a list of some policies may.
 */
export async function saveOrder(t: ApiContext, { mayMove = false } = {}): Promise<void> {
  const saved = savedOrder(t);
  const isAlone = saved.tests.size === 0;
  saved.tests.add(t);
  if (isAlone && saved.last !== undefined) saved.isChanging ||= !isSameOrder(saved.last, await orderOfOthers(t));
  saved.mayMove ||= mayMove;
  saved.ids ??= orderOfOthers(t).then(async (ids) => {
    await t.journal.saveGlobal(ORDER_NAME, [...ids]);
    return ids;
  });
  await saved.ids.catch((error: unknown) => {
    saved.ids = undefined;
    throw error;
  });
}

/**
 * To be called after a test, with whether it found a violation: the saved order need not be restored where the policies of others
 * have kept it, or where others have moved them. Those may change it at any time, and want to find it as they set it.
 */
export async function settleOrder(t: ApiContext, hasFindings: boolean): Promise<void> {
  const saved = savedOrder(t);
  if (!saved.tests.delete(t)) return;
  saved.mayMove ||= hasFindings;
  if (saved.tests.size > 0 || saved.ids === undefined) return;
  const before = await saved.ids;
  saved.last = await orderOfOthers(t);
  if (saved.mayMove) {
    if (await lacksPolicy(t, before, saved.last)) return;
    if (!isSameOrder(before, saved.last) && !(await isChangedByOthers(t, saved))) return;
  }
  // A test that has begun meanwhile relies on it.
  if (saved.tests.size > 0) return;
  Object.assign(saved, { ids: undefined, mayMove: false });
  await t.journal.restored(ORDER_NAME);
}

/** Times that the order is read again to see whether others change it. */
const LOOKS = 3;

/** True where others change the order: then nobody knows who moved what, and what they have set stays. */
async function isChangedByOthers(t: ApiContext, saved: SavedOrder): Promise<boolean> {
  // Until then, reads may lag behind what the run itself has set.
  await sleep(t.settleMs);
  if (saved.tests.size > 0) return saved.isChanging;
  const now = await orderOfOthers(t);
  saved.last = now;
  for (let look = 0; look < LOOKS && !saved.isChanging && saved.tests.size === 0; look += 1) {
    await sleep(t.settleMs / 2);
    const again = await orderOfOthers(t);
    if (saved.tests.size === 0) saved.isChanging ||= !isSameOrder(now, again);
  }
  return saved.isChanging;
}

/** Most policies that are read to see whether others have deleted what the order lacks. */
const MOST_LACKING_READ = 5;

/** True where the order lacks a policy that still exists: a deployment may take the order that was set as the whole one. */
async function lacksPolicy(t: ApiContext, before: readonly string[], now: readonly string[]): Promise<boolean> {
  const known = new Set(now);
  for (const id of before.filter((each) => !known.has(each)).slice(0, MOST_LACKING_READ)) {
    const seen = await t.sendQuietly(operationOf(t, 'readPolicy'), { path: { id }, label: 'read a policy of others' });
    if (seen.response?.status !== 404) return true;
  }
  return false;
}

/** True where the ids that are in both have the same order. */
export function isSameOrder(before: readonly string[], now: readonly string[]): boolean {
  const [had, has] = [new Set(before), new Set(now)];
  const common = now.filter((id) => had.has(id));
  return before.filter((id) => has.has(id)).every((id, at) => id === common[at]);
}

/** Most policies of an order that are read to find a deleted one. */
const MOST_POLICIES_READ = 200;

/** Reason for a skip where {@link namesDeletedPolicy} is true. */
const NAMES_DELETED = 'the processing order still lists a deleted policy, and setting it is refused for that';

/**
 * True where an order that was refused names a deleted policy: that is the reason for the refusal. Reports a violation where the
 * order still lists that policy after the settle time.
 */
async function namesDeletedPolicy(t: ApiContext, listed: readonly string[], refused: Exchange): Promise<boolean> {
  const [order, read] = [operationOf(t, 'order'), operationOf(t, 'readPolicy')];
  const own = listed.filter((id) => t.isOwn(id));
  for (const id of own.slice(-MOST_POLICIES_READ)) {
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
      received: 'it is in it',
      exchanges: [refused, seen, last],
    });
    return true;
  }
  return false;
}

/** Refusals that a policy which others create or delete meanwhile may explain. */
const EXPLAINED_BY_OTHERS: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** Valid orders whose refusal was judged: the deployment probably refuses all, and further ones are waited for briefly. */
const MOST_REFUSED = 2;

/** An order that names exactly the existing policies must be refused so often in a row before the refusal is judged. */
const REFUSALS_IN_A_ROW = 3;

/** The last order that the run has begun to set, by the knowledge of the run. */
const lastOrders = new WeakMap<ApiKnowledge, Promise<unknown>>();

/** Sets a valid order, changed by `change`. A run sets one order at a time: a deployment may refuse overlapping ones with 409. */
export function sendOrder(
  t: ApiContext & ResponseJudge,
  operation: Operation,
  form: Form,
  change: (request: RequestSpec) => RequestSpec,
): Promise<Exchange> {
  const send = (): Promise<Exchange> =>
    setUntilJudgeable(t, operation, async () => change(await validRequest(t, operation, form)));
  const sent = (lastOrders.get(t.knowledge) ?? Promise.resolve()).then(send, send);
  lastOrders.set(t.knowledge, sent);
  return sent;
}

/**
 * Sets the order that `requestOf` returns. An order that is refused while others change policies, or while reads may be stale, is
 * read and set again. Throws {@link Skip} where the order keeps changing meanwhile.
 */
export async function setUntilJudgeable(
  t: ApiContext & ResponseJudge,
  operation: Operation,
  requestOf: () => Promise<RequestSpec>,
): Promise<Exchange> {
  const judged = await t.once('refused orders that were judged', async () => ({ count: 0 }));
  const settleMs = judged.count < MOST_REFUSED ? t.settleMs : t.settleMs / 10;
  const began = Date.now();
  let refused = 0;
  for (let attempt = 0; attempt < ATTEMPTS || refused > 0 || Date.now() - began <= 2 * settleMs; attempt += 1) {
    const isLast = Date.now() - began >= settleMs;
    const request = await requestOf();
    const exchange = await t.sendQuietly(operation, request);
    if (!EXPLAINED_BY_OTHERS.has(exchange.response?.status ?? 0)) return t.judge(operation, exchange, request.expect);
    refused = isLast && (await namesTheExisting(t, exchange, settleMs)) ? refused + 1 : 0;
    if (refused >= REFUSALS_IN_A_ROW) {
      if (request.expect === 'success') judged.count += 1;
      if (await namesDeletedPolicy(t, idsSent(exchange), exchange)) throw new Skip(NAMES_DELETED);
      return t.judge(operation, exchange, request.expect);
    }
    // Often enough that one attempt falls between two changes of others.
    await sleep(settleMs / (4 * ATTEMPTS));
  }
  throw new Skip(
    'setting the processing order was refused each time, and the order had changed when it was read again',
  );
}

/**
 * True where an order that was refused names exactly the existing policies. Waits for the settle time: until then, the order may
 * still list a policy that was deleted before the refusal.
 */
async function namesTheExisting(t: ApiContext, refused: Exchange, settleMs: number): Promise<boolean> {
  await sleep(settleMs);
  const ids = idsSent(refused);
  const known = new Set((await currentOrder(t)).map((each) => each.id.toLowerCase()));
  return ids.length === known.size && ids.every((id) => known.has(id));
}

function idsSent({ request }: Exchange): readonly string[] {
  const text = Buffer.from(request.body ?? []).toString();
  return text === '' ? [] : (idsOf(JSON.parse(text) as Json) ?? []);
}
