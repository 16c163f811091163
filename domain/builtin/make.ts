import { sampleBody } from '../../generators/index.ts';
import type { SampleContext } from '../../generators/index.ts';
import type { Json, JsonObject } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';
import { create } from '../create.ts';
import type { Made } from '../create.ts';
import type { Resource } from '../resources.ts';
import type { TestContext } from '../../suites/kit/context.ts';
import { resourceFor } from './operations.ts';

/** An agent of this run that nothing changes. */
export function sharedAgent(t: TestContext): Promise<Made> {
  return t.session.once('agent', () => freshAgent(t));
}

/** A new agent; `members` are added to its plain sample. */
export function freshAgent(t: TestContext, suffix = 'agent', members: JsonObject = {}): Promise<Made> {
  const resource = resourceFor(t.session, 'createAgent');
  return create(t, resource, {
    suffix,
    label: 'create an agent',
    body: (name) => withMembers(resource, name, {}, members),
  });
}

/** A new job, with the agent that it needs; `members` are added to its plain sample. */
export async function freshJob(t: TestContext, suffix = 'job', members: JsonObject = {}): Promise<Made> {
  const agent = await sharedAgent(t);
  const resource = resourceFor(t.session, 'createJob');
  return create(t, resource, {
    suffix,
    label: 'create a job',
    body: (name) => withMembers(resource, name, { aiAgentId: agent.id }, members),
  });
}

/** The plain sample of what a resource creates, with more members. */
export function withMembers(resource: Resource, name: string, context: SampleContext, members: JsonObject): Json {
  const sample = sampleBody(resource.create.id, name, context);
  return isObject(sample) ? { ...sample, ...members } : members;
}

/** A new policy; `members` are added to its plain sample. */
export function freshPolicy(t: TestContext, suffix = 'policy', members: JsonObject = {}): Promise<Made> {
  const resource = resourceFor(t.session, 'createPolicy');
  return create(t, resource, {
    suffix,
    label: 'create a policy',
    body: (name) => withMembers(resource, name, {}, members),
  });
}
