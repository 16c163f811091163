import { sampleBody } from '../../../generators/index.ts';
import type { SampleContext } from '../../../generators/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import { isObject } from '../../../spec/index.ts';
import { create } from '../../session/create.ts';
import type { Made } from '../../session/create.ts';
import type { Resource } from '../../session/resources.ts';
import type { Trial } from '../../session/trial.ts';
import { resourceFor } from './operations.ts';

/** An agent of this run that nothing changes. */
export function sharedAgent(trial: Trial): Promise<Made> {
  return trial.session.once('agent', () => freshAgent(trial));
}

/** A new agent; `members` are added to its plain sample. */
export function freshAgent(trial: Trial, suffix = 'agent', members: JsonObject = {}): Promise<Made> {
  const resource = resourceFor(trial.session, 'createAgent');
  return create(trial, resource, {
    suffix,
    label: 'create an agent',
    body: (name) => withMembers(resource, name, {}, members),
  });
}

/** A new job, with the agent that it needs; `members` are added to its plain sample. */
export async function freshJob(trial: Trial, suffix = 'job', members: JsonObject = {}): Promise<Made> {
  const agent = await sharedAgent(trial);
  const resource = resourceFor(trial.session, 'createJob');
  return create(trial, resource, {
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
export function freshPolicy(trial: Trial, suffix = 'policy', members: JsonObject = {}): Promise<Made> {
  const resource = resourceFor(trial.session, 'createPolicy');
  return create(trial, resource, {
    suffix,
    label: 'create a policy',
    body: (name) => withMembers(resource, name, {}, members),
  });
}
