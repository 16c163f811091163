import type { JsonObject, Operation } from '../../spec/index.ts';
import { Skip } from '../context.ts';
import type { ApiContext } from '../context.ts';
import { uniqueName } from '../create.ts';
import type { CreateOptions, CreatedItem } from '../create.ts';
import type { Fixtures } from '../fixtures.ts';
import { idsOf, isUuid, memberOf } from '../items.ts';
import { sharedAgent } from './agents.ts';
import { freshItem } from './fresh-item.ts';
import { NIL_UUID } from './bodies/identifiers.ts';
import { sampleWith } from './bodies/sample-body.ts';
import type { SampleContext } from './bodies/sample-body.ts';
import { isRefusedForEndpoint, REFUSALS } from './hints.ts';
import { operationOf, OPERATIONS, resourceFor } from './operations.ts';
import { statusOf, tryItem } from './refused-members.ts';

/**
 * A new job with the agent that it needs; `members` are added to its plain sample. A deployment may refuse unusual ones: `expect`
 * any response then.
 */
export function freshJob(
  t: ApiContext,
  suffix = 'job',
  members: JsonObject = {},
  options: Pick<CreateOptions, 'expect' | 'form'> = {},
): Promise<CreatedItem> {
  return freshItem(t, 'createJob', members, { suffix, label: 'create a job', ...options });
}

/** Whether the deployment accepts a job with these members; their rules are not documented. Learned once a run. */
export function acceptsJob(t: ApiContext, members: JsonObject): Promise<boolean> {
  return t.once(`accepts ${JSON.stringify(members)}`, async () => {
    const resource = resourceFor(t, 'createJob');
    const references = await t.knowledge.references(t, resource.create, {});
    const json = sampleWith(t, resource, uniqueName(t, 'members'), references, members);
    const created = await tryItem(t, resource, json, 'create a job, to see whether its members are accepted');
    return !REFUSALS.has(statusOf(created));
  });
}

/** What a new job refers to: an agent of this run, and an endpoint of the deployment. It is enabled only where runs need that. */
export async function jobReferences(t: ApiContext, fixtures: Fixtures): Promise<SampleContext> {
  const [{ id: aiAgentId }, endpointId] = [await sharedAgent(t), await endpointOf(t, fixtures)];
  const known = { aiAgentId, ...(endpointId === undefined ? {} : { endpointId }) };
  return (await runsOnlyEnabled(t, known)) ? { ...known, enabled: true } : known;
}

/** Whether the deployment refuses to run a job that is not enabled. */
function runsOnlyEnabled(t: ApiContext, known: SampleContext): Promise<boolean> {
  return t.once('only enabled jobs run', async () => {
    if (!t.allows('reversible') || !t.allows('costly')) return false;
    const resource = resourceFor(t, 'createJob');
    const json = sampleWith(t, resource, uniqueName(t, 'disabled'), { ...known }, {});
    let isRefused = false;
    await tryItem(t, resource, json, 'create a job, to see whether it runs', async (id) => {
      const queued = await t.sendQuietly(operationOf(t, 'queue'), { path: { id }, label: 'run a disabled job' });
      isRefused = REFUSALS.has(queued.response?.status ?? 0);
    });
    return isRefused;
  });
}

/**
 * The endpoint of new jobs: that of the configuration, or one of the deployment; undefined where jobs need none. Throws {@link Skip}
 * where the deployment refuses jobs for their endpoint, and none is known.
 */
export async function endpointOf(t: ApiContext, { endpoint }: Fixtures): Promise<string | undefined> {
  const known = endpoint ?? (await knownEndpoint(t));
  if (known === undefined && (await areJobsRefusedForEndpoint(t)))
    throw new Skip(
      'the deployment refuses jobs because of their endpoint, and no valid endpoint is known: set fixtures.endpoint',
    );
  return known;
}

function areJobsRefusedForEndpoint(t: ApiContext): Promise<boolean> {
  return t.once('jobs without an endpoint are refused', async () => {
    if (!t.allows('reversible')) return false;
    const resource = resourceFor(t, 'createJob');
    const json = sampleWith(t, resource, uniqueName(t, 'endpoint'), { aiAgentId: (await sharedAgent(t)).id }, {});
    const created = await tryItem(t, resource, json, 'create a job without an endpoint, to see whether it is accepted');
    return isRefusedForEndpoint(created);
  });
}

const RUNS: ReadonlySet<string> = new Set([OPERATIONS.queue, OPERATIONS.dryRun, OPERATIONS.preview]);

/** Throws {@link Skip} before an operation that the deployment refuses for the endpoint of the jobs of this run. */
export async function prepareRun(t: ApiContext, { id }: Pick<Operation, 'id'>): Promise<void> {
  if (RUNS.has(id) && (await areRunsRefusedForEndpoint(t)))
    throw new Skip('the deployment refuses to run jobs because of their endpoint: set fixtures.endpoint');
}

function areRunsRefusedForEndpoint(t: ApiContext): Promise<boolean> {
  return t.once('runs are refused for the endpoint', async () => {
    if (!t.allows('reversible') || !t.allows('costly')) return false;
    const { id } = await freshJob(t, 'endpoint');
    const queued = await t.sendQuietly(operationOf(t, 'queue'), {
      path: { id },
      label: 'see whether its endpoint is known',
    });
    return isRefusedForEndpoint(queued);
  });
}

/** Most jobs that are read to find an endpoint. */
const MOST_JOBS_READ = 5;

/** An endpoint that an existing job of the deployment names: a deployment may refuse jobs without one. */
function knownEndpoint(t: ApiContext): Promise<string | undefined> {
  return t.once('endpoint', async () => {
    const listed = await t.sendQuietly(operationOf(t, 'jobs'), { label: 'find a job with an endpoint' });
    const ids = idsOf(listed.response?.json)?.filter((id) => !t.isOwn(id)) ?? [];
    for (const id of ids.slice(0, MOST_JOBS_READ)) {
      const read = await t.sendQuietly(operationOf(t, 'readJob'), {
        path: { id },
        label: 'read the endpoint of a job',
      });
      const endpointId = memberOf(read.response?.json, 'endpointId');
      if (isUuid(endpointId) && endpointId !== NIL_UUID) return endpointId;
    }
    return undefined;
  });
}
