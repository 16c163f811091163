import { sampleBody } from '../../generators/index.ts';
import type { SampleContext } from '../../generators/index.ts';
import type { Exchange, Json, JsonObject, Operation } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';
import { create, settled } from '../session/create.ts';
import type { Made } from '../session/create.ts';
import { idsOf, itemsOf } from '../session/lists.ts';
import { resourcesOf } from '../session/resources.ts';
import type { Resource } from '../session/resources.ts';
import type { Session } from '../session/session.ts';
import { Skip } from '../session/trial.ts';
import type { Trial } from '../session/trial.ts';

/** Operations that the domain's suites speak of, by what they do. */
export const OPERATIONS = {
  policies: 'GET /accesscontrolpolicies',
  activate: 'POST /accesscontrolpolicies/{id}/activate',
  deactivate: 'POST /accesscontrolpolicies/{id}/deactivate',
  order: 'GET /accesscontrolpolicies/byprocessingorder',
  setOrder: 'POST /accesscontrolpolicies/setprocessingorder',
  createPolicy: 'POST /accesscontrolpolicies',
  readPolicy: 'GET /accesscontrolpolicies/{id}',
  updatePolicy: 'PUT /accesscontrolpolicies/{id}',
  deletePolicy: 'DELETE /accesscontrolpolicies/{id}',
  createAgent: 'POST /aiagent',
  agents: 'GET /aiagent',
  createJob: 'POST /aijob',
  jobs: 'GET /aijob',
  readJob: 'GET /aijob/{id}',
  updateJob: 'PUT /aijob/{id}',
  patchJob: 'PATCH /aijob/{id}',
  deleteJob: 'DELETE /aijob/{id}',
  summary: 'GET /aijob/summary',
  preview: 'POST /aijob/{id}/preview',
  dryRun: 'POST /aijob/{id}/dry-run',
  queue: 'POST /aijob/{id}/execution-queue',
  runs: 'GET /aijob/{id}/runs',
  chats: 'GET /aijob/{jobId}/runs/{runId}/chats',
  chat: 'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}',
  chatStream: 'GET /aijob/{id}/chatstream',
  runResults: 'GET /aijob/{id}/runs/{runId}/results',
  results: 'GET /aijob/{id}/results/{type}',
  result: 'GET /aijob/{id}/results/{type}/{resultId}',
  approve: 'POST /aijob/{id}/results/{type}/approvals',
  bulkApprove: 'PUT /aijob/{id}/bulk-result-approval-request',
  skills: 'GET /aijobskills',
  audit: 'GET /auditLog/{objectId}/{objectTypeId}',
  auditByIds: 'GET /auditLog/getByObjectTypeIds',
  vocabularyKeys: 'GET /vocabs/keys',
  clue: 'POST /clue',
  raw: 'POST /admin/entity/ProcessClue',
  status: 'GET /status',
} as const;

/** An operation of the domain; throws {@link Skip} where the description has none. */
export function operationOf(session: Session, name: keyof typeof OPERATIONS): Operation {
  const operation = session.contract.operation(OPERATIONS[name]);
  if (operation === undefined) throw new Skip(`the description has no ${OPERATIONS[name]}`);
  return operation;
}

/** The resource that an operation of the domain creates. */
export function resourceFor(session: Session, name: 'createPolicy' | 'createAgent' | 'createJob'): Resource {
  const resource = resourcesOf(session.contract).find((each) => each.create.id === OPERATIONS[name]);
  if (resource === undefined) throw new Skip(`the description has no ${OPERATIONS[name]}`);
  return resource;
}

/** An agent of this run that nothing changes. */
export function sharedAgent(trial: Trial): Promise<Made> {
  return trial.session.once('agent', () => freshAgent(trial));
}

/** A new agent; `members` are added to its plain sample. */
export function freshAgent(trial: Trial, suffix = 'agent', members: JsonObject = {}): Promise<Made> {
  const resource = resourceFor(trial.session, 'createAgent');
  return create(trial, resource, { suffix, label: 'create an agent', body: (name) => withMembers(resource, name, {}, members) });
}

/** A new job, with the agent that it needs; `members` are added to its plain sample. */
export async function freshJob(trial: Trial, suffix = 'job', members: JsonObject = {}): Promise<Made> {
  const agent = await sharedAgent(trial);
  const resource = resourceFor(trial.session, 'createJob');
  return create(trial, resource, { suffix, label: 'create a job', body: (name) => withMembers(resource, name, { aiAgentId: agent.id }, members) });
}

/** The plain sample of what a resource creates, with more members. */
export function withMembers(resource: Resource, name: string, context: SampleContext, members: JsonObject): Json {
  const sample = sampleBody(resource.create.id, name, context);
  return isObject(sample) ? { ...sample, ...members } : members;
}

/** A new policy; `members` are added to its plain sample. */
export function freshPolicy(trial: Trial, suffix = 'policy', members: JsonObject = {}): Promise<Made> {
  const resource = resourceFor(trial.session, 'createPolicy');
  return create(trial, resource, { suffix, label: 'create a policy', body: (name) => withMembers(resource, name, {}, members) });
}

/** A job that ran: of this run where effects allow, else one that the deployment has. */
export interface RanJob {
  readonly jobId: string;
  readonly runIds: readonly string[];
  /** True where this run made it. */
  readonly own: boolean;
}

/** Enough runs that the default page (10) is not the whole list. */
export const RUNS_WANTED = 12;

/** Runs take a few milliseconds here and minutes elsewhere. */
export const RUN_PATIENCE_MS = 30_000;

/** The job with runs that all tests read from. */
export function ranJob(trial: Trial): Promise<RanJob> {
  const { session } = trial;
  const may = session.allows('costly') && session.allows('reversible');
  return session.once('ran-job', () => (may ? makeRanJob(trial, RUNS_WANTED) : findRanJob(trial)));
}

/** A job of this run's own, with so many runs that have ended. */
export async function makeRanJob(trial: Trial, runs: number): Promise<RanJob> {
  const { session } = trial;
  const job = await freshJob(trial, 'ran');
  const queue = operationOf(session, 'queue');
  const queued: Exchange[] = [];
  for (let index = 0; index < runs; index += 1) {
    queued.push(await trial.send(queue, { path: { id: job.id }, expect: 'success', label: 'queue a run' }));
  }
  const list = operationOf(session, 'runs');
  let runIds: readonly string[] = [];
  let seen: Exchange | undefined;
  const until = Date.now() + Math.max(RUN_PATIENCE_MS, session.options.settleMs);
  while (Date.now() < until) {
    const exchange = await trial.send(list, { path: { id: job.id }, query: { pageNumber: 1, pageSize: runs * 2 } });
    seen = exchange;
    runIds = idsOf(exchange.response?.json) ?? [];
    if (runIds.length >= runs && (await quiet(trial, job.id, runIds.length))) break;
    if (exchange.response?.status !== 200) break;
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  if (runIds.length < runs && seen?.response?.status === 200 && queued.every((each) => each.response?.status === 200)) {
    trial.report({
      check: 'job-runs', requirement: 'runs.execute-appears', operation: queue, cause: 'runs that were queued are not listed',
      message: `${queue.id}: runs that were queued are not listed`, expected: `${runs} runs`, received: `${runIds.length} runs`, exchanges: [...queued.slice(-2), seen],
    });
  }
  if (runIds.length === 0) throw new Skip('no run appeared: see the findings of the runs');
  return { jobId: job.id, runIds, own: true };
}

/** True once two looks at the runs, a moment apart, are the same: then what executes has come to an end. */
async function quiet(trial: Trial, jobId: string, count: number): Promise<boolean> {
  const list = operationOf(trial.session, 'runs');
  const look = async (): Promise<string> => {
    const exchange = await trial.send(list, { path: { id: jobId }, query: { pageNumber: 1, pageSize: count * 2 } });
    return JSON.stringify(exchange.response?.json ?? null);
  };
  const before = await look();
  await new Promise((resolve) => { setTimeout(resolve, 30); });
  return before === (await look());
}

async function findRanJob(trial: Trial): Promise<RanJob> {
  const { session } = trial;
  const listed = await trial.send(operationOf(session, 'jobs'));
  const jobs = (idsOf(listed.response?.json) ?? []).slice(0, 20);
  for (const jobId of jobs) {
    const runs = await trial.send(operationOf(session, 'runs'), { path: { id: jobId }, query: { pageNumber: 1, pageSize: 50 } });
    const runIds = idsOf(runs.response?.json) ?? [];
    if (runIds.length > 0) return { jobId, runIds, own: false };
  }
  throw new Skip('the deployment has no job with runs, and making one needs the effects reversible and costly');
}

/** Values of a member over the items of a list, without repeats. */
export function valuesOf(json: Json | undefined, key: string): readonly Json[] {
  const values = (itemsOf(json) ?? []).flatMap((item) => (isObject(item) && item[key] !== undefined ? [item[key]] : []));
  return [...new Set(values)];
}

/** A type of results that the job has; what the document calls `type` in the path. */
export function resultType(trial: Trial): Promise<string> {
  return trial.session.once('result-type', async () => {
    const { jobId, runIds } = await ranJob(trial);
    let type: Json | undefined;
    await settled(trial, async () => {
      const seen = await trial.send(operationOf(trial.session, 'runResults'), {
        path: { id: jobId, runId: runIds[0] ?? '' }, query: { pageNumber: 1, pageSize: 50 },
      });
      type = mostCommon((itemsOf(seen.response?.json) ?? []).flatMap((item) => (isObject(item) && typeof item['type'] === 'string' ? [item['type']] : [])));
      return typeof type === 'string';
    });
    if (typeof type !== 'string') throw new Skip('no result of the job tells its type');
    return type;
  });
}

function mostCommon(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** The type id under which the audit log keeps an object; found by asking for the object alone. */
export async function auditTypeOf(trial: Trial, objectId: string): Promise<string> {
  let found: string | undefined;
  await settled(trial, async () => {
    const seen = await trial.send(operationOf(trial.session, 'auditByIds'), { query: { objectIds: [objectId] } });
    found = valuesOf(seen.response?.json, 'objectTypeId').find((each): each is string => typeof each === 'string');
    return found !== undefined;
  });
  if (found === undefined) throw new Skip('the audit log does not tell the object types it keeps');
  return found;
}

/** The processing order as it is, ready to be set again. */
export async function currentOrder(trial: Trial): Promise<NonNullable<SampleContext['ordering']>> {
  const read = await trial.send(operationOf(trial.session, 'order'), { expect: 'success', label: 'read the processing order' });
  const entries = itemsOf(read.response?.json);
  if (entries === undefined) throw new Skip('the processing order can not be read');
  return entries.flatMap((entry) => (isObject(entry) && typeof entry['id'] === 'string' ? [{ ...entry, id: entry['id'] }] : []));
}

/** The sentences about creating, updating and deleting, by what is created. */
export interface LifecycleSentences {
  readonly create: readonly string[];
  readonly distinct?: string;
  readonly listed?: string;
  readonly update: readonly string[];
  readonly remove: readonly string[];
}

const KINDS: Readonly<Record<string, string>> = {
  [OPERATIONS.createPolicy]: 'policies', [OPERATIONS.createAgent]: 'agents', [OPERATIONS.createJob]: 'jobs',
};

/** The requirements that a resource's life cycle tries. */
export function lifecycleSentences(createId: string): LifecycleSentences {
  const kind = KINDS[createId];
  if (kind === undefined) return { create: [], update: [], remove: [] };
  const stores = kind === 'agents' ? [] : [`${kind}.create-stores`];
  return {
    create: [`${kind}.id-uuid`, `${kind}.list-has-created`, ...stores, ...(kind === 'policies' ? ['policies.create-distinct'] : [])],
    ...(kind === 'policies' ? { distinct: 'policies.create-distinct' } : {}),
    listed: `${kind}.list-has-created`,
    update: [`${kind}.update-stores`],
    remove: [`${kind}.delete-removes`],
  };
}
