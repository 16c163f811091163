import type { JsonObject } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import type { CreatedItem, CreateOptions } from '../create.ts';
import { freshItem } from './fresh-item.ts';

/** The agent that all tests of the run share; nothing changes it. */
export function sharedAgent(t: ApiContext): Promise<CreatedItem> {
  return t.once('agent', () => freshAgent(t));
}

/** A new agent; `members` are added to its plain sample. A deployment may refuse unusual ones: `expect` any response then. */
export function freshAgent(
  t: ApiContext,
  suffix = 'agent',
  members: JsonObject = {},
  options: Pick<CreateOptions, 'expect' | 'form'> = {},
): Promise<CreatedItem> {
  return freshItem(t, 'createAgent', members, { suffix, label: 'create an agent', ...options });
}
