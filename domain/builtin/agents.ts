import type { Json, JsonObject } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { create } from '../create.ts';
import type { CreateOptions, CreatedItem } from '../create.ts';
import { sampleWith } from './bodies/sample-body.ts';
import { resourceFor } from './operations.ts';

/** The agent that all tests of the run share; nothing changes it. */
export function sharedAgent(t: ApiContext): Promise<CreatedItem> {
  return t.once('agent', () => freshAgent(t));
}

/** A new agent; `members` are added to its plain sample. A deployment may refuse unusual ones: `expect` any response then. */
export async function freshAgent(
  t: ApiContext,
  suffix = 'agent',
  members: JsonObject = {},
  { expect }: Pick<CreateOptions, 'expect'> = {},
): Promise<CreatedItem> {
  const resource = resourceFor(t, 'createAgent');
  const references = await t.knowledge.references(t, resource.create, {});
  const body = (name: string): Json => sampleWith(t, resource, name, references, members);
  return create(t, resource, {
    suffix,
    label: 'create an agent',
    body,
    references,
    ...(expect === undefined ? {} : { expect }),
  });
}
