import { OPERATIONS } from '../routes/index.ts';

/** Ids of the operations that faults name. */
export const CREATE_POLICY = 'POST /accesscontrolpolicies';
export const POLICIES = 'GET /accesscontrolpolicies';
export const READ_POLICY = 'GET /accesscontrolpolicies/{id}';
export const UPDATE_POLICY = 'PUT /accesscontrolpolicies/{id}';
export const DELETE_POLICY = 'DELETE /accesscontrolpolicies/{id}';
export const ACTIVATE = 'POST /accesscontrolpolicies/{id}/activate';
export const DEACTIVATE = 'POST /accesscontrolpolicies/{id}/deactivate';
export const SET_ORDER = 'POST /accesscontrolpolicies/setprocessingorder';
export const ORDER = 'GET /accesscontrolpolicies/byprocessingorder';
export const UPDATE_AGENT = 'PUT /aiagent/{id}';
export const READ_AGENT = 'GET /aiagent/{id}';
export const READ_JOB = 'GET /aijob/{id}';
export const UPDATE_JOB = 'PUT /aijob/{id}';
export const PATCH_JOB = 'PATCH /aijob/{id}';
export const DELETE_JOB = 'DELETE /aijob/{id}';
export const PREVIEW = 'POST /aijob/{id}/preview';
export const DRY_RUN = 'POST /aijob/{id}/dry-run';
export const RUN_NOW = 'POST /aijob/{id}/execution-queue';
export const RUNS = 'GET /aijob/{id}/runs';
export const RUN_RESULTS = 'GET /aijob/{id}/runs/{runId}/results';
export const RESULTS = 'GET /aijob/{id}/results/{type}';
export const READ_RESULT = 'GET /aijob/{id}/results/{type}/{resultId}';
export const APPROVE = 'POST /aijob/{id}/results/{type}/approvals';
export const BULK_APPROVE = 'PUT /aijob/{id}/bulk-result-approval-request';
export const AUDIT = 'GET /auditLog/{objectId}/{objectTypeId}';
export const AUDIT_MANY = 'GET /auditLog/getByObjectTypeIds';

/** Operations that show what became of a policy. */
export const POLICY_READERS = [READ_POLICY, POLICIES, ORDER] as const;
/** Operations that show the results of a job. */
export const RESULT_READERS = [RESULTS, READ_RESULT] as const;
export const POLICY_AREA = OPERATIONS.flatMap(({ id, permission }) =>
  permission === 'RACI:management.accesscontrol' ? [id] : [],
);
