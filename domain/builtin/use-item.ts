import type { Exchange } from '../../spec/index.ts';
import { settled } from '../context.ts';
import type { ApiContext } from '../context.ts';
import { itemsIn } from '../items.ts';
import type { Resource } from '../resources.ts';
import { areResultsApproved } from './approved-results.ts';
import { freshJob } from './jobs.ts';
import { findOperation, OPERATIONS, operationOf } from './operations.ts';
import { resultType } from './runs.ts';

/** Makes the removal of an item a conflict with its state, in some deployments. */
export async function useItem(t: ApiContext, { create }: Resource, id: string): Promise<Exchange | undefined> {
  if (create.id === OPERATIONS.createAgent) return (await freshJob(t, 'user', { aiAgentId: id })).created;
  const role = create.id === OPERATIONS.createPolicy ? 'activate' : 'queue';
  const operation = operationOf(t, role);
  if (!t.allows(operation.effect)) return undefined;
  const moved = await t.sendQuietly(operation, { path: { id }, label: role });
  return (role === 'queue' ? await approveResults(t, id) : undefined) ?? moved;
}

/** Approves the results of a job that was queued, where it has some within the settle time. */
async function approveResults(t: ApiContext, id: string): Promise<Exchange | undefined> {
  const [results, approve] = [findOperation(t.contract, 'results'), findOperation(t.contract, 'bulkApprove')];
  if (results === undefined || approve === undefined || !t.allows(approve.effect)) return undefined;
  const path = { id, type: await resultType(t) };
  const hasResults = async (): Promise<boolean> =>
    (itemsIn(await t.sendQuietly(results, { path, label: 'list the results' })) ?? []).length > 0;
  // A run that takes its time is no late change.
  if (!(await settled({ settleMs: t.settleMs }, hasResults)) || (await areResultsApproved(t))) return undefined;
  return t.sendQuietly(approve, { path: { id }, json: { action: 0 }, label: 'approve the results' });
}
