import type { Wrap } from '../../http/call.ts';
import { state } from '../fault.ts';
import type { Defect } from '../fault.ts';
import * as op from '../operations.ts';
import { before, id, items } from '../parts.ts';

const KEPT = 'A change that was answered stays.';
const EACH = 'Of each run its own chats and results are listed.';

/** Does something after a success. */
const then =
  (effect: (...given: Parameters<Wrap>) => void): Wrap =>
  async (call, next) => {
    const answer = await next(call);
    if (answer.status === 200) effect(call, next);
    return answer;
  };

/** Serves a run's parts as those of the job's first run. */
const ofFirstRun = (job: string): Wrap =>
  before((call) => {
    const first = call.world.jobs.history(id(call, job)).runs[0];
    if (first !== undefined) call.params = { ...call.params, runId: first.id };
  });

/** Every third change of a policy is taken back a moment later. */
function forgetful(): Defect {
  let count = 0;
  return {
    inner: async (call, next) => {
      const policy = call.world.policies.get(id(call));
      const answer = await next(call);
      count++;
      const { policies } = call.world;
      if (policy !== undefined && count % 3 === 0)
        setTimeout(
          () =>
            policies.has(policy.id) &&
            policies.merge(policy.id, { name: policy.name, description: policy.description }),
          200,
        ).unref();
      return answer;
    },
  };
}

export const historyFaults = {
  'preview-queues': state(
    'A preview leaves a real run',
    'A preview changes nothing that is stored.',
    [op.PREVIEW, op.RUNS],
    () => ({
      inner: then((call) => {
        const job = call.world.jobs.get(id(call));
        if (job !== undefined) call.world.runner.queue(job, call.identity?.userId ?? '');
      }),
    }),
    [op.PREVIEW],
  ),
  'run-ends-anew': state(
    'The end of a run is the moment at which it is read',
    'A run that ended stays ended.',
    [op.RUNS],
    () => ({
      inner: items((run) => (typeof run['endedAt'] === 'string' ? { ...run, endedAt: new Date().toISOString() } : run)),
    }),
  ),
  'update-drops-runs': state(
    'Updating a job forgets its runs',
    KEPT,
    [op.UPDATE_JOB, op.RUNS],
    () => ({ inner: then((call) => call.world.jobs.setHistory(id(call), { runs: [], chats: [], results: [] })) }),
    [op.UPDATE_JOB],
  ),
  'chats-of-first-run': state('The chats of every run are those of the first', EACH, [op.CHATS], () => ({
    inner: ofFirstRun('jobId'),
  })),
  'results-of-first-run': state('The results of every run are those of the first', EACH, [op.RUN_RESULTS], () => ({
    inner: ofFirstRun('id'),
  })),
  'update-kept-for-a-moment': state('Some updates are taken back a moment later', KEPT, [op.UPDATE_POLICY], forgetful),
  'bulk-approval-of-all-jobs': state(
    'A bulk approval moves the results of other jobs',
    'A bulk approval moves the results of its job.',
    [op.BULK_APPROVE, op.RESULTS],
    () => ({
      inner: then((call) => {
        for (const job of call.world.jobs.values()) {
          const history = call.world.jobs.history(job.id);
          call.world.jobs.setHistory(job.id, {
            ...history,
            results: history.results.map((result) => ({ ...result, state: 'Approved' })),
          });
        }
      }),
    }),
    [op.BULK_APPROVE],
  ),
  'order-known-is-ignored': state(
    'An order that was set once before is not set again',
    'The processing order is set as a whole.',
    [op.SET_ORDER],
    () => {
      const known = new Set<string>();
      return {
        inner: (call, next) => {
          const key = JSON.stringify(call.body);
          if (known.has(key)) return { status: 200 };
          known.add(key);
          return next(call);
        },
      };
    },
  ),
} as const;
