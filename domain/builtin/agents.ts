import type { JsonObject } from '../../spec/index.ts';
import { isImpossible } from '../context.ts';
import type { ApiContext } from '../context.ts';
import type { CreatedItem, CreateOptions } from '../create.ts';
import { freshItem } from './fresh-item.ts';

/** How often the shared agent is created: a deployment that loses one must not keep all tests of jobs from running. */
const MOST_ATTEMPTS = 3;

/** The agent that all tests of the run share; nothing changes it. */
export function sharedAgent(t: ApiContext): Promise<CreatedItem> {
  const make = (attempts: number): Promise<CreatedItem> =>
    freshAgent(t).catch((error: unknown) => {
      if (attempts === 1 || !isImpossible(error)) throw error;
      return make(attempts - 1);
    });
  return t.once('agent', () => make(MOST_ATTEMPTS));
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
