import type { Call, Wrap } from '../http/call.ts';
import type { JobHistory, Result } from '../model/run.ts';
import { afterSuccess, before, body, fields, id, items, pause, published, state, afterwards } from './fault.ts';
import * as op from './operations.ts';

const RUN_ENDS = 'A queued run appears, ends, and stays ended.';
const STORES_NOTHING = 'A preview and a dry run change no stored data.';
const OWN_RESULTS = 'A run lists its own chats and results.';
const APPROVAL_CHANGES_STATE = 'An approval changes the state of the results that it names.';
const OWN_JOB_ONLY = 'A bulk approval changes the results of its job only.';
const CHANGE_PERSISTS = 'A change that was answered with 200 persists.';

const queueAnother = (call: Call): void => {
  const job = call.world.jobs.get(id(call));
  if (job !== undefined) call.world.runner.queue(job, call.identity?.userId ?? '');
};

type ChangeResult = (result: Result, index: number, call: Call) => Partial<Result>;

/** Changes the results of the job that a call names. */
export function changeResults(call: Call, change: ChangeResult): void {
  const history = call.world.jobs.history(id(call));
  const results = history.results.map((result, index) => ({ ...result, ...change(result, index, call) }));
  call.world.jobs.setHistory(id(call), { ...history, results });
}

/** Changes the results of a job after a success. */
const changing = (change: ChangeResult): Wrap => afterwards((call) => changeResults(call, change));

/** Serves every run's results from the first run of the job. */
const ofFirstRun: Wrap = before((call) => {
  const first = call.world.jobs.history(id(call)).runs[0];
  if (first !== undefined) call.params = { ...call.params, runId: first.id };
});

/** The runs of deleted jobs stay readable. */
function readableAfterDeletion(): Wrap {
  const kept = new Map<string, JobHistory>();
  return async (call, next) => {
    const jobId = id(call);
    if (call.operation?.id === op.DELETE_JOB) kept.set(jobId, call.world.jobs.history(jobId));
    const answer = await next(call);
    const history = kept.get(jobId);
    if (call.operation?.id !== op.RUNS || answer.status !== 404 || history === undefined) return answer;
    const page = { totalCount: history.runs.length, pageSize: 10, currentPage: 1, totalPages: 1, data: history.runs };
    return { status: 200, body: page };
  };
}

/** Every third update of a policy is reverted a moment later. */
function revertingUpdates(): Wrap {
  let count = 0;
  return async (call, next) => {
    const { policies } = call.world;
    const old = policies.get(id(call));
    const answer = await next(call);
    count += 1;
    const restore = (): unknown =>
      old !== undefined &&
      policies.has(old.id) &&
      policies.merge(old.id, { name: old.name, description: old.description });
    if (count % 3 === 0) setTimeout(restore, 200).unref();
    return answer;
  };
}

const RUN_FAULTS = {
  'run-never-ends': published('A run never ends', RUN_ENDS, [op.RUNS]).inner(() =>
    items((run) => ({ ...run, completedAt: null, state: 'Running' })),
  ),
  'run-drops-older': published('A new run removes the older ones', RUN_ENDS, [op.RUN_NOW, op.RUNS]).inner(
    () => async (call, next) => {
      const answer = await next(call);
      await pause(12);
      const history = call.world.jobs.history(id(call));
      call.world.jobs.setHistory(id(call), { ...history, runs: history.runs.slice(-1) });
      return answer;
    },
    [op.RUN_NOW],
  ),
  'dry-run-queues': published('A dry run queues a real run', STORES_NOTHING, [op.DRY_RUN, op.RUNS]).inner(
    () => afterwards(queueAnother),
    [op.DRY_RUN],
  ),
  'preview-queues': published('A preview queues a real run', STORES_NOTHING, [op.PREVIEW, op.RUNS]).inner(
    () => afterwards(queueAnother),
    [op.PREVIEW],
  ),
  'queue-after-preview-404': state(
    'Queueing a run of a previewed job returns 404',
    'A resource that exists is not answered with 404.',
    [op.RUN_NOW],
  ).inner(() => {
    const previewed = new Set<string>();
    return (call, next) => {
      if (call.operation?.id === op.PREVIEW) previewed.add(id(call));
      return call.operation?.id === op.RUN_NOW && previewed.has(id(call)) ? { status: 404 } : next(call);
    };
  }, [op.PREVIEW, op.RUN_NOW]),
  'runs-of-deleted-job': state(
    'The runs of a deleted job are still listed',
    'The runs of a deleted job are deleted too.',
    [op.RUNS],
  ).inner(readableAfterDeletion, [op.DELETE_JOB, op.RUNS]),
  'update-drops-runs': published('Updating a job deletes its runs', CHANGE_PERSISTS, [op.UPDATE_JOB, op.RUNS]).inner(
    () => afterwards((call) => call.world.jobs.setHistory(id(call), { runs: [], chats: [], results: [] })),
    [op.UPDATE_JOB],
  ),
  'results-of-first-run': state('Every run shows the results of the first run', OWN_RESULTS, [op.RUN_RESULTS]).inner(
    () => ofFirstRun,
  ),
} as const;

const RESULT_FAULTS = {
  'approval-moves-all': published('An approval changes all results', APPROVAL_CHANGES_STATE, [
    op.APPROVE,
    ...op.RESULT_READERS,
  ]).inner(
    () => changing((_result, _index, call) => ({ state: fields(call)['action'] === 1 ? 'Rejected' : 'Approved' })),
    [op.APPROVE],
  ),
  'approval-undoes-earlier': published('An approval reverts earlier decisions', APPROVAL_CHANGES_STATE, [
    op.APPROVE,
    ...op.RESULT_READERS,
  ]).inner(() => before((call) => changeResults(call, () => ({ state: 'Pending' }))), [op.APPROVE]),
  'bulk-approval-partial': published('A bulk approval skips every third result', OWN_JOB_ONLY, [
    op.BULK_APPROVE,
    ...op.RESULT_READERS,
  ]).inner(() => changing((_result, index) => (index % 3 === 0 ? { state: 'Pending' } : {})), [op.BULK_APPROVE]),
  'state-filter-stale': state('The state filter ignores approvals', 'Results are found by their state.', [
    op.RESULTS,
  ]).inner(() =>
    body((value, call) =>
      ['approved', 'rejected'].includes(call.query.text('state')?.toLowerCase() ?? '')
        ? { ...(value as object), totalCount: 0, totalPages: 0, data: [] }
        : value,
    ),
  ),
} as const;

/** A write that leaves no entry in the audit log. */
const silent = (title: string, ...operations: readonly string[]) =>
  published(title, 'The audit log contains each change.', [...operations, op.AUDIT, op.AUDIT_MANY]).inner(
    () =>
      afterSuccess((answer, call) => {
        call.world.audit.remove(({ objectId }) => objectId === id(call));
        return answer;
      }),
    operations,
  );

const OTHER_FAULTS = {
  'audit-silent-update': silent('Updating a policy leaves no trace in the audit log', op.UPDATE_POLICY),
  'audit-silent-delete': silent('Deleting a policy leaves no trace in the audit log', op.DELETE_POLICY),
  'audit-silent-activate': silent('Activation leaves no trace in the audit log', op.ACTIVATE),
  'audit-silent-job': silent('Updating a job leaves no trace in the audit log', op.UPDATE_JOB, op.PATCH_JOB),
  // A warning: the members of entries are not documented.
  'audit-other-object': published(
    'The audit log of an object contains entries of others',
    'The audit log of an object contains only its own entries.',
    [op.AUDIT],
  ).inner(() => body((value, call) => (Array.isArray(value) ? call.world.audit.find(new Set()).slice(0, 20) : value))),
  'update-kept-for-a-moment': state('Some updates are reverted a moment later', CHANGE_PERSISTS, [
    op.UPDATE_POLICY,
    ...op.POLICY_READERS,
  ]).inner(revertingUpdates, [op.UPDATE_POLICY]),
} as const;

/** Defects of stored runs, results and audit entries. */
export const HISTORY_FAULTS = { ...RUN_FAULTS, ...RESULT_FAULTS, ...OTHER_FAULTS } as const;
