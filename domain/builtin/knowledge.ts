import type { Contract, Json, Operation } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { memberOf } from '../items.ts';
import type { ApiKnowledge, BodyReferences, ItemFilter, LifecycleRequirements, PathPlace } from '../knowledge.ts';
import type { Fixtures } from '../fixtures.ts';
import { existingListFixture } from '../list-fixture.ts';
import { pathValues } from '../path-values.ts';
import type { PathValues, Role } from '../path-values.ts';
import { resourceOf, resourcesOf } from '../resources.ts';
import type { Resource } from '../resources.ts';
import { auditedObject, auditListFixture, skipUntyped } from './audit.ts';
import { domainGenerator } from './bodies/domain-body.ts';
import { extraMembers } from './bodies/extra-members.ts';
import { sampleBody } from './bodies/sample-body.ts';
import type { SampleContext } from './bodies/sample-body.ts';
import { OPERATIONS, SERVED_DESCRIPTION } from './operations.ts';
import { currentOrder, saveOrder, sendOrder, settleOrder } from './processing-order.ts';
import { jobToDecide } from './approved-results.ts';
import { beginRuns, pendingResults, prepareApproval, ranJob, resultType } from './runs.ts';
import { prepareActivation } from './policies.ts';
import { hintFor, isRefusedForEndpoint } from './hints.ts';
import { freshJob, jobReferences, prepareRun } from './jobs.ts';
import { sampleChanges } from './refused-members.ts';
import { useItem } from './use-item.ts';
import { defaultsOf, organizationOf, placeholders } from './tenant.ts';

/** What is known of the data management platform (api.md, and platform.md for default payloads). */
export function builtinKnowledge(contract: Contract, fixtures: Fixtures): ApiKnowledge {
  const fixed = defaultsOf(fixtures);
  return {
    guarantees: () => true,
    resources: resourcesOf(contract),
    lifecycleRequirements,
    members: {
      setByService: SET_BY_SERVICE,
      setElsewhere: new Set(['isactive']),
      alwaysReturned: new Set(['name']),
      maps: new Set(['metadata']),
      volatile: VOLATILE,
    },
    sampleBody: (operation, name, known) => sampleBody(operation.id, name, { ...known, ...fixed }),
    extraMembers: (t, operation, name) => extraMembers(t, operation.id, name),
    references: (t, operation, path) => references(t, operation, path, fixtures),
    placeholders: (t, operation) => placeholders(t, operation, fixtures),
    bodyGenerator: (operation, known) => domainGenerator(contract, operation.id, known),
    pathValue,
    query: async (t, operation) => (await QUERIES[operation.id]?.(t)) ?? {},
    servedDescription: SERVED_DESCRIPTION,
    notInServedDescription: new Set([OPERATIONS.status, OPERATIONS.clue, OPERATIONS.raw]),
    prepare: async (t, operation, path) => {
      await prepareActivation(t, operation, path);
      await prepareApproval(t, operation, path);
      await prepareRun(t, operation);
    },
    use: useItem,
    unknownIdStatuses: ({ id }) => UNKNOWN_ID_STATUSES[id] ?? [404],
    listFixture: (t, operation) => {
      if (operation.id === OPERATIONS.audit) return auditListFixture(t, operation);
      return READS_RUNS.has(operation.id) ? runsListFixture(t, operation) : undefined;
    },
    itemFilter: ({ id }) => ITEM_FILTERS[id],
    awaits: ({ id }) => READS_RUNS.has(id) || CHANGES_RESULTS.has(id),
    begin: async (t, { id }) => (id === OPERATIONS.queue ? beginRuns(t) : undefined),
    mayRefuse: (refused) => fixtures.endpoint === undefined && isRefusedForEndpoint(refused),
    hintFor: (refused, wasServed) => hintFor(refused, wasServed, fixtures),
    afterTest: settleOrder,
    sendValid: (t, operation, form, change) =>
      operation.id === OPERATIONS.setOrder ? sendOrder(t, operation, form, change) : undefined,
  };
}

const byMetadata: ItemFilter['query'] = ({ sent }) => ({ metadataFilter: memberOf(sent, 'metadata') ?? {} });

/** Filters by list that select an item by what it was created with. */
const ITEM_FILTERS: Readonly<Record<string, ItemFilter>> = {
  [OPERATIONS.agents]: { requirement: 'agents.metadata-filter', query: byMetadata },
  [OPERATIONS.jobs]: { requirement: 'jobs.metadata-filter', query: byMetadata },
  [OPERATIONS.policies]: { requirement: 'policies.search-name', query: ({ name }) => ({ searchName: name }) },
};

/** Members that the platform sets itself, and members of a policy that other operations change. */
const SET_BY_SERVICE = new Set([
  'id',
  'organizationid',
  'createdat',
  'createdby',
  'modifiedat',
  'modifiedby',
  'order',
  'requiresattention',
]);

/** Runs count and cost; the processing order is set for all policies together. */
const VOLATILE = /summary|progress|cost|^\/order$/i;

/** Operations below a job that only read what its runs produced. */
const READS_RUNS: ReadonlySet<string> = new Set([
  OPERATIONS.runs,
  OPERATIONS.chats,
  OPERATIONS.chat,
  OPERATIONS.chatStream,
  OPERATIONS.runResults,
  OPERATIONS.results,
  OPERATIONS.result,
]);

const CHANGES_RESULTS: ReadonlySet<string> = new Set([OPERATIONS.approve, OPERATIONS.bulkApprove]);

function pathValue(t: ApiContext, { id }: Operation, { name, role }: PathPlace): Promise<string> | undefined {
  if (READS_RUNS.has(id) && (name === 'id' || name === 'jobId')) return ranJob(t).then((job) => job.jobId);
  if (CHANGES_RESULTS.has(id) && name === 'id' && role === 'fresh') return jobToDecide(t);
  if (name === 'runId') return ranJob(t).then((job) => job.runIds[0] ?? '');
  if (name === 'type') return resultType(t);
  if (name === 'objectId') return auditedObject(t).then(({ objectId }) => objectId);
  if (name === 'objectTypeId') return auditedObject(t).then(({ objectTypeId }) => objectTypeId ?? skipUntyped());
  if (id.includes(' /aijob/{id}') && name === 'id') return jobFor(t, role);
  return undefined;
}

/** A job of this run; undefined where nothing may be created: then an existing job is used. */
function jobFor(t: ApiContext, role: Role): Promise<string> | undefined {
  if (!t.allows('reversible')) return undefined;
  if (role === 'fresh') return freshJob(t).then((job) => job.id);
  return t.once(`${role} job`, () => freshJob(t, role)).then((job) => job.id);
}

/**
 * An object without entries may have an empty audit log, and an approval for an unknown job names results that do not
 * exist either.
 */
const UNKNOWN_ID_STATUSES: Readonly<Record<string, readonly number[]>> = {
  [OPERATIONS.audit]: [],
  [OPERATIONS.approve]: [404, 400],
};

/** Query parameters of the documented calls. */
const QUERIES: Readonly<Record<string, (t: ApiContext) => Promise<Readonly<Record<string, Json>>>>> = {
  [OPERATIONS.clue]: () => Promise.resolve({ save: true }),
  [OPERATIONS.auditByIds]: async (t) => ({ objectIds: [(await auditedObject(t)).objectId] }),
};

async function references(
  t: ApiContext,
  operation: Operation,
  path: PathValues,
  fixtures: Fixtures,
): Promise<BodyReferences> {
  if (operation.id === OPERATIONS.clue) return { organizationId: await organizationOf(t, fixtures) };
  if (operation.id === OPERATIONS.setOrder) {
    await saveOrder(t, { mayMove: true });
    return { ordering: await currentOrder(t) };
  }
  if (operation.id === OPERATIONS.approve) return { resultIds: await pendingResults(t, path) };
  const resource = BODIES_OF_ITEMS.has(operation.id) ? resourceOf(resourcesOf(t.contract), operation) : undefined;
  const known: SampleContext = operation.path.startsWith('/aijob') ? await jobReferences(t, fixtures) : {};
  return { ...known, ...(resource === undefined ? {} : await sampleChanges(t, resource, known)) };
}

const BODIES_OF_ITEMS: ReadonlySet<string> = new Set([
  OPERATIONS.createPolicy,
  OPERATIONS.updatePolicy,
  OPERATIONS.createAgent,
  OPERATIONS.updateAgent,
  OPERATIONS.createJob,
  OPERATIONS.updateJob,
  OPERATIONS.preview,
  OPERATIONS.dryRun,
]);

async function runsListFixture(t: ApiContext, operation: Operation): ReturnType<typeof existingListFixture> {
  const path = await pathValues(t, operation, 'shared');
  const { own, isOver, queued } = await ranJob(t);
  const fixture = await existingListFixture(t, operation, path, own);
  // Chats and results may be added to a run until it is over.
  const isolated = own && (isOver || operation.id === OPERATIONS.runs);
  return { ...fixture, isolated, ...(queued === undefined ? {} : { filledBy: queued }) };
}

/** Prefix of the requirements about a resource, by the operation that creates it. */
const KINDS: Readonly<Record<string, string>> = {
  [OPERATIONS.createPolicy]: 'policies',
  [OPERATIONS.createAgent]: 'agents',
  [OPERATIONS.createJob]: 'jobs',
};

function lifecycleRequirements({ create }: Resource): LifecycleRequirements {
  const kind = KINDS[create.id];
  if (kind === undefined) return { create: [], update: [], remove: [] };
  const listed = `${kind}.list-has-created`;
  const stores = `${kind}.create-stores`;
  const distinct = kind === 'policies' ? 'policies.create-distinct' : undefined;
  return {
    create: [`${kind}.id-uuid`, listed, stores, distinct].filter((each) => each !== undefined),
    listed,
    stores,
    ...(distinct === undefined ? {} : { distinct }),
    update: [`${kind}.update-stores`],
    remove: [`${kind}.delete-removes`],
  };
}
