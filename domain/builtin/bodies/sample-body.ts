import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import type { ApiContext } from '../../context.ts';
import type { BodyReferences } from '../../knowledge.ts';
import type { Resource } from '../../resources.ts';
import { sampleAgent, sampleApproval, sampleClue, sampleJob, samplePatch, samplePolicy, sampleRaw } from './samples.ts';

/** Values that a sample body may refer to, where the caller knows them. */
export interface SampleContext {
  readonly aiAgentId?: string;
  readonly endpointId?: string;
  /** Whether a job is enabled; by default it is not. */
  readonly enabled?: boolean;
  readonly organizationId?: string;
  readonly entityType?: string;
  readonly resultIds?: readonly string[];
  /** Names of members that the deployment refuses: the sample leaves them out. */
  readonly without?: readonly string[];
  /** Members with values that the deployment is known to accept. */
  readonly members?: JsonObject;
  /** The whole processing order, in the wanted order. Default: empty. */
  readonly ordering?: readonly { readonly id: string; readonly name?: string; readonly order?: number }[];
}

type Sample = (tag: string, context: SampleContext) => Json;

const job: Sample = (tag, context) => sampleJob(tag, context.aiAgentId, context.endpointId, context.enabled);

/** Sample bodies by operation id. */
export const SAMPLES = {
  'POST /accesscontrolpolicies': (tag) => samplePolicy(tag),
  'PUT /accesscontrolpolicies/{id}': (tag) => samplePolicy(tag),
  'POST /accesscontrolpolicies/setprocessingorder': (_, context) =>
    (context.ordering ?? []).map((entry, index) => ({ ...entry, order: entry.order ?? index })),
  'POST /aiagent': (tag) => sampleAgent(tag),
  'PUT /aiagent/{id}': (tag) => sampleAgent(tag),
  'POST /aijob': job,
  'PUT /aijob/{id}': job,
  'PATCH /aijob/{id}': (tag) => samplePatch(tag),
  'POST /aijob/{id}/preview': job,
  'POST /aijob/{id}/dry-run': job,
  'PUT /aijob/{id}/bulk-result-approval-request': () => ({ action: 0 }),
  'POST /aijob/{id}/results/{type}/approvals': (_, context) => sampleApproval(context.resultIds ?? []),
  'POST /clue': (tag, context) => sampleClue(tag, context.organizationId, context.entityType),
  'POST /admin/entity/ProcessClue': (tag) => sampleRaw(tag),
} satisfies Record<string, Sample>;

export type KnownBody = keyof typeof SAMPLES;

/** True where {@link sampleBody} knows the operation. */
export function hasSample(operationId: string): operationId is KnownBody {
  return Object.hasOwn(SAMPLES, operationId);
}

/**
 * A plain, realistic body that the documented schema accepts and, as far as is published, a real deployment too. Its
 * name contains `tag`. Undefined for other operations.
 */
export function sampleBody(operationId: string, tag: string, context: SampleContext = {}): Json | undefined {
  const sample = hasSample(operationId) ? SAMPLES[operationId](tag, context) : undefined;
  const { without = [], members = {} } = context;
  if (!isObject(sample)) return sample;
  return { ...Object.fromEntries(Object.entries(sample).filter(([name]) => !without.includes(name))), ...members };
}

/** The plain sample of an item of a resource, with `members` added or replaced. */
export function sampleWith(
  { knowledge }: Pick<ApiContext, 'knowledge'>,
  resource: Resource,
  name: string,
  references: BodyReferences,
  members: JsonObject,
): Json {
  const sample = knowledge.sampleBody(resource.create, name, references);
  return isObject(sample) ? { ...sample, ...members } : members;
}
