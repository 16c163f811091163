import { contract } from '../fault.ts';
import * as op from '../operations.ts';
import { after, afterSuccess, refused, refusing, turning } from '../parts.ts';

const DOCUMENTED = 'Only documented statuses are answered.';
const UNKNOWN = 'An id that does not exist is answered with 404.';
const MALFORMED = 'A malformed id is answered with 400 or 404, never with a server error.';
const isMalformed = (value: string | undefined) => value !== undefined && !/^[0-9a-f-]{36}$/i.test(value);

export const statusFaults = {
  'create-policy-202': contract('Creating a policy answers 202', DOCUMENTED, [op.CREATE_POLICY], () => ({
    outer: afterSuccess((answer) => ({ ...answer, status: 202 })),
  })),
  'update-agent-206': contract('Updating an agent answers 206', DOCUMENTED, [op.UPDATE_AGENT], () => ({
    outer: afterSuccess((answer) => ({ ...answer, status: 206 })),
  })),
  'skills-203': contract('The skills are answered with 203', DOCUMENTED, [op.SKILLS], () => ({
    outer: afterSuccess((answer) => ({ ...answer, status: 203 })),
  })),
  'bad-body-422': contract(
    'A body that does not fit is answered with 422',
    DOCUMENTED,
    [op.CREATE_JOB, op.CREATE_AGENT],
    () => ({ outer: turning(400, 422) }),
  ),
  'unknown-policy-410': contract('An unknown policy is answered with 410', UNKNOWN, [op.READ_POLICY], () => ({
    outer: turning(404, 410),
  })),
  'unknown-policy-200': contract('An unknown policy is answered with 200', UNKNOWN, [op.READ_POLICY], () => ({
    outer: after((answer) => (answer.status === 404 ? { status: 200, body: { id: EMPTY_ID, name: null } } : answer)),
  })),
  'unknown-agent-500': contract('An unknown agent makes the service fail', UNKNOWN, [op.READ_AGENT], () => ({
    outer: turning(404, 500),
  })),
  'unknown-job-400': contract('An unknown job is answered with 400', UNKNOWN, [op.READ_JOB], () => ({
    outer: turning(404, 400),
  })),
  'unknown-run-empty': contract('The chats of an unknown run are an empty page', UNKNOWN, [op.CHATS], () => ({
    outer: after((answer) => (answer.status === 404 ? { status: 200, body: EMPTY_PAGE } : answer)),
  })),
  'delete-unknown-200': contract('Deleting an unknown policy succeeds', UNKNOWN, [op.DELETE_POLICY], () => ({
    outer: after((answer) => (answer.status === 404 ? { status: 200 } : answer)),
  })),
  'activate-unknown-200': contract('Activating an unknown policy succeeds', UNKNOWN, [op.ACTIVATE], () => ({
    outer: after((answer) => (answer.status === 404 ? { status: 200 } : answer)),
  })),
  'patch-unknown-500': contract('Patching an unknown job makes the service fail', UNKNOWN, [op.PATCH_JOB], () => ({
    outer: turning(404, 500),
  })),
  'malformed-policy-id-500': contract(
    'A malformed policy id makes the service fail',
    MALFORMED,
    [op.READ_POLICY, op.UPDATE_POLICY],
    () => ({ outer: refusing(500, (call) => isMalformed(call.params['id'])) }),
  ),
  'malformed-run-id-500': contract(
    'A malformed run id makes the service fail',
    MALFORMED,
    [op.CHATS, op.RUN_RESULTS],
    () => ({ outer: refusing(500, (call) => isMalformed(call.params['runId'])) }),
  ),
  'malformed-object-id-200': contract(
    'A malformed object id is answered with an empty log',
    MALFORMED,
    [op.AUDIT],
    () => ({
      outer: after((answer, call) =>
        answer.status === 400 && isMalformed(call.params['objectId']) ? { status: 200, body: [] } : answer,
      ),
    }),
  ),
  'deactivate-cuts-connection': contract(
    'Deactivating a policy cuts the connection',
    'Every request is answered.',
    [op.DEACTIVATE],
    () => ({ outer: afterSuccess((answer) => ({ ...answer, cut: true })) }),
  ),
  'wrong-method-500': contract(
    'A method that a path does not take makes the service fail',
    'No request makes the service fail.',
    [],
    () => ({ outer: after((answer) => (answer.status === 405 ? refused(500) : answer)) }),
  ),
  'bad-integer-500': contract(
    'A page that is no number makes the service fail',
    'No request makes the service fail.',
    [op.POLICIES],
    () => ({ outer: refusing(500, (call) => /[^\d-]/.test(call.query.text('page') ?? '')) }),
  ),
  'big-integer-500': contract(
    'A page size beyond int32 makes the service fail',
    'No request makes the service fail.',
    [op.RUNS, op.RESULTS],
    () => ({ outer: refusing(500, (call) => Number(call.query.text('pageSize') ?? 1) >= 2 ** 31) }),
  ),
} as const;

const EMPTY_ID = '00000000-0000-0000-0000-000000000000';
const EMPTY_PAGE = { totalCount: 0, pageSize: 10, currentPage: 1, totalPages: 0, data: [] };
