import type { Exchange } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import type { Resource } from '../resources.ts';
import { freshJob } from './jobs.ts';
import { OPERATIONS, operationOf } from './operations.ts';

/** Makes the removal of an item a conflict with its state, in some deployments. */
export async function useItem(t: ApiContext, { create }: Resource, id: string): Promise<Exchange | undefined> {
  if (create.id === OPERATIONS.createAgent) return (await freshJob(t, 'user', { aiAgentId: id })).created;
  const role = create.id === OPERATIONS.createPolicy ? 'activate' : 'queue';
  const operation = operationOf(t, role);
  return t.allows(operation.effect) ? t.sendQuietly(operation, { path: { id }, label: role }) : undefined;
}
