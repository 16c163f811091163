import type { Result } from '../../model/run.ts';
import type { Call, Wrap } from '../../http/call.ts';
import { state } from '../fault.ts';
import * as op from '../operations.ts';
import { body, fields, id } from '../parts.ts';

const MOVES = 'An approval moves the state of the results that it names.';
const BULK = 'A bulk approval moves the results of the job.';
const AUDITED = 'The audit log shows each change.';

/** Changes a job's results after a success. */
function then(change: (result: Result, index: number, call: Call) => Partial<Result>): Wrap {
  return async (call, next) => {
    const answer = await next(call);
    if (answer.status !== 200) return answer;
    const history = call.world.jobs.history(id(call));
    const results = history.results.map((result, index) => ({ ...result, ...change(result, index, call) }));
    call.world.jobs.setHistory(id(call), { ...history, results });
    return answer;
  };
}

/** Takes the audit entry of a change away again. */
const silent: Wrap = async (call, next) => {
  const answer = await next(call);
  if (answer.status === 200) call.world.audit.remove(({ objectId }) => objectId === id(call));
  return answer;
};

export const resultFaults = {
  'approval-does-nothing': state('An approval does nothing', MOVES, [op.APPROVE], () => ({
    inner: () => ({ status: 200 }),
  })),
  'approval-moves-all': state('An approval moves all results', MOVES, [op.APPROVE], () => ({
    inner: then((_result, _index, call) => ({ state: fields(call)['action'] === 1 ? 'Rejected' : 'Approved' })),
  })),
  'rejection-does-nothing': state(
    'A rejection does nothing',
    'An approval and a rejection lead to different states.',
    [op.APPROVE],
    () => ({ inner: (call, next) => (fields(call)['action'] === 1 ? { status: 200 } : next(call)) }),
  ),
  'approval-first-only': state('An approval moves the first result that it names only', MOVES, [op.APPROVE], () => ({
    inner: (call, next) => {
      const named: unknown = fields(call)['results'];
      if (Array.isArray(named)) call.body = { ...fields(call), results: named.slice(0, 1) };
      return next(call);
    },
  })),
  'approval-undoes-earlier': state('An approval undoes the decisions before it', MOVES, [op.APPROVE], () => ({
    inner: (call, next) => {
      const history = call.world.jobs.history(id(call));
      call.world.jobs.setHistory(id(call), {
        ...history,
        results: history.results.map((result) => ({ ...result, state: 'Pending' })),
      });
      return next(call);
    },
  })),
  'bulk-approval-does-nothing': state('A bulk approval does nothing', BULK, [op.BULK_APPROVE], () => ({
    inner: () => ({ status: 200 }),
  })),
  'bulk-approval-partial': state('A bulk approval leaves every third result', BULK, [op.BULK_APPROVE], () => ({
    inner: then((_result, index) => (index % 3 === 0 ? { state: 'Pending' } : {})),
  })),
  'state-filter-stale': state(
    'The state filter knows the states before any approval',
    'Results are found by their state.',
    [op.RESULTS],
    () => ({
      inner: body((value, call) => {
        const wanted = call.query.text('state')?.toLowerCase();
        return wanted === 'approved' || wanted === 'rejected'
          ? { ...(value as object), totalCount: 0, totalPages: 0, data: [] }
          : value;
      }),
    }),
  ),
  'audit-silent-update': state(
    'Updating a policy leaves no trace in the audit log',
    AUDITED,
    [op.UPDATE_POLICY, op.AUDIT, op.AUDIT_MANY],
    () => ({ inner: silent }),
    [op.UPDATE_POLICY],
  ),
  'audit-silent-delete': state(
    'Deleting a policy leaves no trace in the audit log',
    AUDITED,
    [op.DELETE_POLICY, op.AUDIT, op.AUDIT_MANY],
    () => ({ inner: silent }),
    [op.DELETE_POLICY],
  ),
  'audit-silent-activate': state(
    'Activation leaves no trace in the audit log',
    AUDITED,
    [op.ACTIVATE, op.AUDIT, op.AUDIT_MANY],
    () => ({ inner: silent }),
    [op.ACTIVATE],
  ),
  'audit-silent-job': state(
    'Updating a job leaves no trace in the audit log',
    AUDITED,
    [op.UPDATE_JOB, op.PATCH_JOB, op.AUDIT, op.AUDIT_MANY],
    () => ({ inner: silent }),
    [op.UPDATE_JOB, op.PATCH_JOB],
  ),
  'audit-other-object': state(
    'The audit log mixes objects up',
    'The audit log of an object shows its own entries.',
    [op.AUDIT],
    () => ({
      inner: body((value, call) => (Array.isArray(value) ? call.world.audit.find(new Set()).slice(0, 20) : value)),
    }),
  ),
} as const;
