import type { Json } from '../../spec/index.ts';
import { ifSkipped } from '../context.ts';
import type { ApiContext } from '../context.ts';
import { itemsIn, memberLike } from '../items.ts';
import { operationOf } from './operations.ts';
import { makeRanJob, ranJob, resultTypes } from './runs.ts';

/** Published name of the state of an approved result, which a setting of the deployment may give to new results. */
const APPROVED = /^approved$/iu;

/** True for the state of an approved result. */
export function isApproved(state: Json | undefined): boolean {
  return typeof state === 'string' && APPROVED.test(state);
}

/** True for results of which all are approved. */
function areApproved(states: readonly (Json | undefined)[]): boolean {
  return states.length > 0 && states.every(isApproved);
}

/**
 * Waits for results, and returns true where they are approved at once; false as long as there are none. A deployment may refuse to
 * delete a job with approved results (published), so that every job that ran would stay. Must be called before a bulk approval,
 * which may reach the results of all jobs.
 */
export async function areResultsApproved(t: ApiContext): Promise<boolean> {
  const [type] = (await resultTypes(t).catch(ifSkipped)) ?? [];
  if (type === undefined) return false;
  return t.once('results are approved at once', () => findApproved(t, type));
}

async function findApproved(t: ApiContext, type: string): Promise<boolean> {
  const { jobId } = await ranJob(t);
  const query = { pageNumber: 1, pageSize: 50 };
  const label = 'see whether results are approved';
  const listed = await t.send(operationOf(t, 'results'), { path: { id: jobId, type }, query, label });
  return areApproved((itemsIn(listed) ?? []).map((result) => memberLike(result, 'state')));
}

/** A job with results to decide: a new one or, where each would stay, the one that other tests read from. */
export async function jobToDecide(t: ApiContext): Promise<string> {
  return (await ((await areResultsApproved(t)) ? ranJob(t) : makeRanJob(t, 1))).jobId;
}
