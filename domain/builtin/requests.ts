import type { SampleContext } from '../../generators/index.ts';
import type { Exchange, Form, Json, Operation } from '../../spec/index.ts';
import { isObject, isSuccess, scalarText } from '../../spec/index.ts';
import { create, settled, uniqueName } from '../create.ts';
import type { CreateOptions, Made } from '../create.ts';
import { idsOf, itemsOf } from '../items.ts';
import type { Resource } from '../resources.ts';
import { bodyNamed, plainRequest } from '../inferred/plain-request.ts';
import { pathValues } from '../path-values.ts';
import type { Hint, PathValues, Role } from '../path-values.ts';
import { Skip } from '../../suites/kit/context.ts';
import type { RequestSpec, TestContext } from '../../suites/kit/context.ts';
import { walk } from '../read-list.ts';
import { listsGhost } from './deleted-in-order.ts';
import { saveOrder } from './processing-order.ts';
import {
  auditTypeOf,
  currentOrder,
  freshJob,
  freshPolicy,
  makeRanJob,
  operationOf,
  OPERATIONS,
  ranJob,
  resultType,
  sharedAgent,
} from './world.ts';

/** Operations below a job that only read what its runs left. */
export const READS_RUNS = new Set<string>([
  OPERATIONS.runs,
  OPERATIONS.chats,
  OPERATIONS.chat,
  OPERATIONS.chatStream,
  OPERATIONS.runResults,
  OPERATIONS.results,
  OPERATIONS.result,
]);

/** Operations that change the results of a job. */
const CHANGES_RESULTS = new Set<string>([OPERATIONS.approve, OPERATIONS.bulkApprove]);

/** What the paths of the document mean beyond their shape. */
export const domainHint: Hint = (t, operation, { name, known, role }) => {
  const { id } = operation;
  if (READS_RUNS.has(id) && (name === 'id' || name === 'jobId')) return ranJob(t).then((job) => job.jobId);
  if (CHANGES_RESULTS.has(id) && name === 'id' && role === 'fresh') return makeRanJob(t, 1).then((job) => job.jobId);
  if (name === 'runId') return ranJob(t).then((job) => job.runIds[0] ?? '');
  if (name === 'type') return resultType(t);
  if (name === 'objectTypeId') return auditTypeOf(t, scalarText(known['objectId']));
  if (name === 'objectId') return sharedAgent(t).then((agent) => agent.id);
  if (id.includes(' /aijob/{id}') && name === 'id') return jobFor(t, role);
  return undefined;
};

/** A job of this run; where nothing may be made, the shape of the paths finds one of the deployment's. */
function jobFor(t: TestContext, role: Role): Promise<string> | undefined {
  if (!t.session.allows('reversible')) return undefined;
  if (role === 'fresh') return freshJob(t).then((job) => job.id);
  return t.session.once(`${role} job`, () => freshJob(t, role)).then((job) => job.id);
}

/** Query values without which the document's call is not whole. */
const QUERIES: Readonly<Record<string, (t: TestContext) => Promise<Record<string, Json>>>> = {
  [OPERATIONS.clue]: () => Promise.resolve({ save: true }),
  [OPERATIONS.auditByIds]: async (t) => ({ objectIds: [(await sharedAgent(t)).id] }),
};

/** A request that has a value for each place of its path. */
export interface ValidRequest extends RequestSpec {
  readonly path: PathValues;
}

/**
 * A valid request to any operation of the description, with something for it to work on: left out, something shared to
 * read, something fresh to change.
 */
export async function validRequest(
  t: TestContext,
  operation: Operation,
  form?: Form,
  role?: Role,
): Promise<ValidRequest> {
  const { builtIn } = t.session.contract;
  const wanted = role ?? (operation.method === 'GET' ? 'shared' : 'fresh');
  const path = await pathValues(t, operation, { role: wanted, ...(builtIn ? { hint: domainHint } : {}) });
  if (builtIn && wanted === 'fresh') await makeReady(t, operation, path);
  const query = builtIn ? await QUERIES[operation.id]?.(t) : undefined;
  const json = operation.body === undefined ? undefined : await bodyFor(t, operation, path);
  const plain = builtIn ? undefined : plainRequest(t.session.contract, operation);
  return {
    path,
    ...(form === undefined ? {} : { form }),
    query: query ?? plain?.query ?? {},
    ...(plain === undefined || Object.keys(plain.cookies).length === 0 ? {} : { cookies: plain.cookies }),
    ...(json === undefined ? {} : { json }),
  };
}

/** What must come before: a new policy may be active or not, and to move it where it already is may well be a conflict. */
const OPPOSITES: Readonly<Record<string, 'activate' | 'deactivate'>> = {
  [OPERATIONS.activate]: 'deactivate',
  [OPERATIONS.deactivate]: 'activate',
};

async function makeReady(t: TestContext, operation: Operation, path: PathValues): Promise<void> {
  const opposite = OPPOSITES[operation.id];
  const wanted = opposite === 'activate';
  if (opposite === undefined || (await initiallyActive(t)) === wanted) return;
  await t.sendQuietly(operationOf(t.session, opposite), { path, label: opposite });
  await settled(t, () => isListed(t, scalarText(path['id']), wanted));
}

/** The state of a new policy, which the document leaves open. */
function initiallyActive(t: TestContext): Promise<boolean> {
  return t.session.once('initially active', async () => {
    const policy = await freshPolicy(t, 'initial');
    let active = false;
    await settled(t, async () => {
      active = await isListed(t, policy.id, true);
      return active || isListed(t, policy.id, false);
    });
    return active;
  });
}

async function isListed(t: TestContext, id: string, filterActive: boolean): Promise<boolean> {
  const seen = await walk(t, operationOf(t.session, 'policies'), {
    query: { filterActive },
    label: `filterActive=${filterActive}`,
  });
  return seen?.ids.includes(id.toLowerCase()) === true;
}

/** Most tries of a request whose body names what others may delete meanwhile. */
const TRIES = 5;

/**
 * Sends a valid request, changed by `change`. One that speaks of everybody's items, as the processing order does, is made
 * anew and tried again where it is refused while others changed them, or while what is read of them may be old: then the
 * refusal says nothing. Throws {@link Skip} where they never hold still.
 */
export async function sendValid(
  t: TestContext,
  operation: Operation,
  form: Form,
  change: (ask: RequestSpec) => RequestSpec,
): Promise<Exchange> {
  if (operation.effect !== 'global' || operation.id !== OPERATIONS.setOrder) {
    return t.send(operation, change(await validRequest(t, operation, form)));
  }
  const { settleMs } = t.session.options;
  const began = Date.now();
  let refused = 0;
  for (let attempt = 0; attempt < TRIES || Date.now() - began <= 2 * settleMs; attempt += 1) {
    const isLast = Date.now() - began >= settleMs;
    const ask = await validRequest(t, operation, form);
    const exchange = await t.sendQuietly(operation, change(ask));
    const isServed = isSuccess(exchange.response?.status ?? 0);
    refused = isLast && !isServed && sameEntries(ask.json, await currentOrder(t)) ? refused + 1 : 0;
    if (isServed || refused >= STEADY) {
      if (!isServed && (await listsGhost(t, idsOf(ask.json) ?? [], exchange))) return exchange;
      return t.judge(operation, exchange, change(ask).expect);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, settleMs / TRIES);
    });
  }
  return t.skip('others change the policies faster than their order can be set');
}

/** Refusals in a row, each of an order that names what there is, before a refusal counts: what is read of the policies may be old. */
const STEADY = 3;

/** True where an order names exactly the policies that there are now. */
function sameEntries(sent: Json | undefined, now: readonly { readonly id: string }[]): boolean {
  const ids = idsOf(sent) ?? [];
  const known = new Set(now.map((each) => each.id.toLowerCase()));
  return ids.length === known.size && ids.every((id) => known.has(id));
}

async function bodyFor(t: TestContext, operation: Operation, path: PathValues): Promise<Json> {
  const context = await contextFor(t, operation, path);
  const body = bodyNamed(t.session.contract, operation, uniqueName(t), context);
  if (body === undefined) throw new Skip(`no sample body is known for ${operation.id}`);
  return body;
}

async function contextFor(t: TestContext, operation: Operation, path: PathValues): Promise<SampleContext> {
  if (operation.id === OPERATIONS.setOrder) {
    await saveOrder(t);
    return { ordering: await currentOrder(t) };
  }
  if (operation.id === OPERATIONS.approve) return { resultIds: await pendingResults(t, path) };
  if (operation.path.startsWith('/aijob')) return { aiAgentId: (await sharedAgent(t)).id };
  return {};
}

async function pendingResults(t: TestContext, path: PathValues): Promise<readonly string[]> {
  const seen = await t.send(operationOf(t.session, 'results'), {
    path: { id: path['id'] ?? '', type: path['type'] ?? '' },
    query: { pageNumber: 1, pageSize: 5 },
  });
  const ids = (itemsOf(seen.response?.json) ?? []).flatMap((item) =>
    isObject(item) && typeof item['id'] === 'string' ? [item['id']] : [],
  );
  return ids.slice(0, 1);
}

/** Creates an item of any resource, with what it refers to. */
export async function createWithContext(
  t: TestContext,
  resource: Resource,
  options: CreateOptions = {},
): Promise<Made> {
  return create(t, resource, { ...options, context: await contextFor(t, resource.create, {}) });
}
