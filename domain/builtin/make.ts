import type { Form, Json, JsonObject } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { create } from '../create.ts';
import type { Made } from '../create.ts';
import type { Resource } from '../resources.ts';
import { sampleBody } from './bodies/sample-body.ts';
import type { SampleContext } from './bodies/sample-body.ts';
import { resourceFor } from './operations.ts';

/** An agent of this run that nothing changes. */
export function sharedAgent(t: ApiContext): Promise<Made> {
  return t.once('agent', () => freshAgent(t));
}

/** A new agent; `members` are added to its plain sample. */
export function freshAgent(t: ApiContext, suffix = 'agent', members: JsonObject = {}): Promise<Made> {
  const resource = resourceFor(t, 'createAgent');
  const body = (name: string): Json => withMembers(resource, name, {}, members);
  return create(t, resource, { suffix, label: 'create an agent', body });
}

/** A new job with the agent that it needs; `members` are added to its plain sample. */
export async function freshJob(t: ApiContext, suffix = 'job', members: JsonObject = {}): Promise<Made> {
  const agent = await sharedAgent(t);
  const resource = resourceFor(t, 'createJob');
  const body = (name: string): Json => withMembers(resource, name, { aiAgentId: agent.id }, members);
  return create(t, resource, { suffix, label: 'create a job', body });
}

/** A new policy; `members` are added to its plain sample. */
export function freshPolicy(t: ApiContext, suffix = 'policy', members: JsonObject = {}, form?: Form): Promise<Made> {
  const resource = resourceFor(t, 'createPolicy');
  const body = (name: string): Json => withMembers(resource, name, {}, members);
  return create(t, resource, { suffix, label: 'create a policy', body, ...(form === undefined ? {} : { form }) });
}

/** The plain sample of what a resource creates, with more members. */
export function withMembers(resource: Resource, name: string, context: SampleContext, members: JsonObject): Json {
  const sample = sampleBody(resource.create.id, name, context);
  return isObject(sample) ? { ...sample, ...members } : members;
}
