import type { SampleContext } from '../../generators/index.ts';
import type { Exchange, Form, Json, Operation } from '../../spec/index.ts';
import { isObject, isSuccess, scalarText } from '../../spec/index.ts';
import { create, settled, uniqueName } from '../session/create.ts';
import type { CreateOptions, Made } from '../session/create.ts';
import { idsOf, itemsOf } from '../session/lists.ts';
import type { Resource } from '../session/resources.ts';
import { bodyNamed, plainRequest } from '../session/plain.ts';
import { pathValues } from '../session/subject.ts';
import type { Hint, PathValues, Role } from '../session/subject.ts';
import { Skip } from '../session/trial.ts';
import type { Ask, Trial } from '../session/trial.ts';
import { walk } from '../session/walk.ts';
import { listsGhost } from './ghost.ts';
import { saveOrder } from './order.ts';
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
} from './world/index.ts';

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
export const domainHint: Hint = (trial, operation, { name, known, role }) => {
  const { id } = operation;
  if (READS_RUNS.has(id) && (name === 'id' || name === 'jobId')) return ranJob(trial).then((job) => job.jobId);
  if (CHANGES_RESULTS.has(id) && name === 'id' && role === 'fresh')
    return makeRanJob(trial, 1).then((job) => job.jobId);
  if (name === 'runId') return ranJob(trial).then((job) => job.runIds[0] ?? '');
  if (name === 'type') return resultType(trial);
  if (name === 'objectTypeId') return auditTypeOf(trial, scalarText(known['objectId']));
  if (name === 'objectId') return sharedAgent(trial).then((agent) => agent.id);
  if (id.includes(' /aijob/{id}') && name === 'id') return jobFor(trial, role);
  return undefined;
};

/** A job of this run; where nothing may be made, the shape of the paths finds one of the deployment's. */
function jobFor(trial: Trial, role: Role): Promise<string> | undefined {
  if (!trial.session.allows('reversible')) return undefined;
  if (role === 'fresh') return freshJob(trial).then((job) => job.id);
  return trial.session.once(`${role} job`, () => freshJob(trial, role)).then((job) => job.id);
}

/** Query values without which the document's call is not whole. */
const QUERIES: Readonly<Record<string, (trial: Trial) => Promise<Record<string, Json>>>> = {
  [OPERATIONS.clue]: () => Promise.resolve({ save: true }),
  [OPERATIONS.auditByIds]: async (trial) => ({ objectIds: [(await sharedAgent(trial)).id] }),
};

/** A request that has a value for each place of its path. */
export interface ValidAsk extends Ask {
  readonly path: PathValues;
}

/**
 * A valid request to any operation of the description, with something for it to work on: left out, something shared to
 * read, something fresh to change.
 */
export async function validAsk(trial: Trial, operation: Operation, form?: Form, role?: Role): Promise<ValidAsk> {
  const { builtIn } = trial.session.contract;
  const wanted = role ?? (operation.method === 'GET' ? 'shared' : 'fresh');
  const path = await pathValues(trial, operation, { role: wanted, ...(builtIn ? { hint: domainHint } : {}) });
  if (builtIn && wanted === 'fresh') await makeReady(trial, operation, path);
  const query = builtIn ? await QUERIES[operation.id]?.(trial) : undefined;
  const json = operation.body === undefined ? undefined : await bodyFor(trial, operation, path);
  const plain = builtIn ? undefined : plainRequest(trial.session.contract, operation);
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

async function makeReady(trial: Trial, operation: Operation, path: PathValues): Promise<void> {
  const opposite = OPPOSITES[operation.id];
  const wanted = opposite === 'activate';
  if (opposite === undefined || (await initiallyActive(trial)) === wanted) return;
  await trial.sendQuietly(operationOf(trial.session, opposite), { path, label: opposite });
  await settled(trial, () => isListed(trial, scalarText(path['id']), wanted));
}

/** The state of a new policy, which the document leaves open. */
function initiallyActive(trial: Trial): Promise<boolean> {
  return trial.session.once('initially active', async () => {
    const policy = await freshPolicy(trial, 'initial');
    let active = false;
    await settled(trial, async () => {
      active = await isListed(trial, policy.id, true);
      return active || isListed(trial, policy.id, false);
    });
    return active;
  });
}

async function isListed(trial: Trial, id: string, filterActive: boolean): Promise<boolean> {
  const seen = await walk(trial, operationOf(trial.session, 'policies'), {
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
  trial: Trial,
  operation: Operation,
  form: Form,
  change: (ask: Ask) => Ask,
): Promise<Exchange> {
  if (operation.effect !== 'global' || operation.id !== OPERATIONS.setOrder) {
    return trial.send(operation, change(await validAsk(trial, operation, form)));
  }
  const { settleMs } = trial.session.options;
  const began = Date.now();
  let refused = 0;
  for (let attempt = 0; attempt < TRIES || Date.now() - began <= 2 * settleMs; attempt += 1) {
    const isLast = Date.now() - began >= settleMs;
    const ask = await validAsk(trial, operation, form);
    const exchange = await trial.sendQuietly(operation, change(ask));
    const isServed = isSuccess(exchange.response?.status ?? 0);
    refused = isLast && !isServed && sameEntries(ask.json, await currentOrder(trial)) ? refused + 1 : 0;
    if (isServed || refused >= STEADY) {
      if (!isServed && (await listsGhost(trial, idsOf(ask.json) ?? [], exchange))) return exchange;
      return trial.judge(operation, exchange, change(ask).expect);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, settleMs / TRIES);
    });
  }
  return trial.skip('others change the policies faster than their order can be set');
}

/** Refusals in a row, each of an order that names what there is, before a refusal counts: what is read of the policies may be old. */
const STEADY = 3;

/** True where an order names exactly the policies that there are now. */
function sameEntries(sent: Json | undefined, now: readonly { readonly id: string }[]): boolean {
  const ids = idsOf(sent) ?? [];
  const known = new Set(now.map((each) => each.id.toLowerCase()));
  return ids.length === known.size && ids.every((id) => known.has(id));
}

async function bodyFor(trial: Trial, operation: Operation, path: PathValues): Promise<Json> {
  const context = await contextFor(trial, operation, path);
  const body = bodyNamed(trial.session.contract, operation, uniqueName(trial), context);
  if (body === undefined) throw new Skip(`no sample body is known for ${operation.id}`);
  return body;
}

async function contextFor(trial: Trial, operation: Operation, path: PathValues): Promise<SampleContext> {
  if (operation.id === OPERATIONS.setOrder) {
    await saveOrder(trial);
    return { ordering: await currentOrder(trial) };
  }
  if (operation.id === OPERATIONS.approve) return { resultIds: await pendingResults(trial, path) };
  if (operation.path.startsWith('/aijob')) return { aiAgentId: (await sharedAgent(trial)).id };
  return {};
}

async function pendingResults(trial: Trial, path: PathValues): Promise<readonly string[]> {
  const seen = await trial.send(operationOf(trial.session, 'results'), {
    path: { id: path['id'] ?? '', type: path['type'] ?? '' },
    query: { pageNumber: 1, pageSize: 5 },
  });
  const ids = (itemsOf(seen.response?.json) ?? []).flatMap((item) =>
    isObject(item) && typeof item['id'] === 'string' ? [item['id']] : [],
  );
  return ids.slice(0, 1);
}

/** Creates an item of any resource, with what it refers to. */
export async function createWithContext(trial: Trial, resource: Resource, options: CreateOptions = {}): Promise<Made> {
  return create(trial, resource, { ...options, context: await contextFor(trial, resource.create, {}) });
}
