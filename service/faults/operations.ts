import type { Operation } from '../http/call.ts';
import { OPERATIONS } from '../routes/index.ts';

/** Ids of the operations that faults speak of. */
export const POLICIES = 'GET /accesscontrolpolicies';
export const CREATE_POLICY = 'POST /accesscontrolpolicies';
export const READ_POLICY = 'GET /accesscontrolpolicies/{id}';
export const UPDATE_POLICY = 'PUT /accesscontrolpolicies/{id}';
export const DELETE_POLICY = 'DELETE /accesscontrolpolicies/{id}';
export const ACTIVATE = 'POST /accesscontrolpolicies/{id}/activate';
export const DEACTIVATE = 'POST /accesscontrolpolicies/{id}/deactivate';
export const ORDER = 'GET /accesscontrolpolicies/byprocessingorder';
export const SET_ORDER = 'POST /accesscontrolpolicies/setprocessingorder';
export const ACTIONS = 'GET /accesscontrolpolicies/actions';
export const AGENTS = 'GET /aiagent';
export const CREATE_AGENT = 'POST /aiagent';
export const READ_AGENT = 'GET /aiagent/{id}';
export const UPDATE_AGENT = 'PUT /aiagent/{id}';
export const DELETE_AGENT = 'DELETE /aiagent/{id}';
export const JOBS = 'GET /aijob';
export const CREATE_JOB = 'POST /aijob';
export const READ_JOB = 'GET /aijob/{id}';
export const UPDATE_JOB = 'PUT /aijob/{id}';
export const PATCH_JOB = 'PATCH /aijob/{id}';
export const DELETE_JOB = 'DELETE /aijob/{id}';
export const SUMMARY = 'GET /aijob/summary';
export const PREVIEW = 'POST /aijob/{id}/preview';
export const CHAT_STREAM = 'GET /aijob/{id}/chatstream';
export const RESULTS = 'GET /aijob/{id}/results/{type}';
export const READ_RESULT = 'GET /aijob/{id}/results/{type}/{resultId}';
export const RUNS = 'GET /aijob/{id}/runs';
export const CHATS = 'GET /aijob/{jobId}/runs/{runId}/chats';
export const READ_CHAT = 'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}';
export const RUN_RESULTS = 'GET /aijob/{id}/runs/{runId}/results';
export const RUN_NOW = 'POST /aijob/{id}/execution-queue';
export const DRY_RUN = 'POST /aijob/{id}/dry-run';
export const BULK_APPROVE = 'PUT /aijob/{id}/bulk-result-approval-request';
export const APPROVE = 'POST /aijob/{id}/results/{type}/approvals';
export const SKILLS = 'GET /aijobskills';
export const AUDIT = 'GET /auditLog/{objectId}/{objectTypeId}';
export const AUDIT_MANY = 'GET /auditLog/getByObjectTypeIds';
export const STATUS = 'GET /status';
export const VOCABULARY = 'GET /vocabs/keys';
export const CLUE = 'POST /clue';
export const RAW = 'POST /admin/entity/ProcessClue';

const POLICY_READERS = [READ_POLICY, POLICIES, ORDER];
const JOB_READERS = [READ_JOB, JOBS];
const RESULT_READERS = [RESULTS, READ_RESULT, RUN_RESULTS];

/** Operations through which the effect of another is seen. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  [CREATE_POLICY]: POLICY_READERS,
  [UPDATE_POLICY]: POLICY_READERS,
  [DELETE_POLICY]: POLICY_READERS,
  [ACTIVATE]: POLICY_READERS,
  [DEACTIVATE]: POLICY_READERS,
  [SET_ORDER]: POLICY_READERS,
  [CREATE_AGENT]: [READ_AGENT, AGENTS],
  [UPDATE_AGENT]: [READ_AGENT, AGENTS],
  [DELETE_AGENT]: [READ_AGENT, AGENTS],
  [CREATE_JOB]: JOB_READERS,
  [UPDATE_JOB]: JOB_READERS,
  [PATCH_JOB]: JOB_READERS,
  [DELETE_JOB]: [...JOB_READERS, RUNS],
  [DRY_RUN]: [...JOB_READERS, RUNS],
  [PREVIEW]: JOB_READERS,
  [RUN_NOW]: [RUNS],
  [APPROVE]: RESULT_READERS,
  [BULK_APPROVE]: RESULT_READERS,
};

/** Operations, and those through which their effects are seen. */
export function withReaders(operations: readonly string[]): readonly string[] {
  return [...new Set(operations.flatMap((id) => [id, ...(READERS[id] ?? [])]))];
}

/** Ids of all operations that fit. */
export function where(fits: (operation: Operation) => boolean): readonly string[] {
  return OPERATIONS.filter(fits).map(({ id }) => id);
}

export const WITH_BODY = where(({ body }) => body);
export const WITH_TOKEN = where(({ permission }) => permission !== 'none');
export const ANY_TOKEN = [SKILLS, AUDIT, AUDIT_MANY] as const;
export const POLICY_AREA = where(({ permission }) => permission === 'RACI:management.accesscontrol');
export const AI_AREA = where(({ permission }) => permission === 'RACI:management.aiagents');
