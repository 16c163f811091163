import type { Json, JsonObject } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { create } from '../create.ts';
import type { Made } from '../create.ts';
import { sharedAgent } from './agents.ts';
import { sampleWith } from './bodies/sample-body.ts';
import { resourceFor } from './operations.ts';

/** A new job with the agent that it needs; `members` are added to its plain sample. */
export async function freshJob(t: ApiContext, suffix = 'job', members: JsonObject = {}): Promise<Made> {
  const agent = await sharedAgent(t);
  const resource = resourceFor(t, 'createJob');
  const body = (name: string): Json => sampleWith(resource, name, { aiAgentId: agent.id }, members);
  return create(t, resource, { suffix, label: 'create a job', body });
}
