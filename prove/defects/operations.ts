/** Ids of operations of the built-in API. */
export const POLICY = '/accesscontrolpolicies';
export const LIST = `GET ${POLICY}`;
export const READ = `GET ${POLICY}/{id}`;
export const CREATE = `POST ${POLICY}`;
export const UPDATE = `PUT ${POLICY}/{id}`;
export const DELETE = `DELETE ${POLICY}/{id}`;
export const ACTIVATE = `POST ${POLICY}/{id}/activate`;
export const DEACTIVATE = `POST ${POLICY}/{id}/deactivate`;
export const SET = `POST ${POLICY}/setprocessingorder`;
export const ORDER = `GET ${POLICY}/byprocessingorder`;
export const READ_AGENT = 'GET /aiagent/{id}';
export const UPDATE_AGENT = 'PUT /aiagent/{id}';
export const READ_JOB = 'GET /aijob/{id}';
export const LIST_JOBS = 'GET /aijob';
export const UPDATE_JOB = 'PUT /aijob/{id}';
export const DELETE_JOB = 'DELETE /aijob/{id}';
export const PATCH = 'PATCH /aijob/{id}';
export const PREVIEW = 'POST /aijob/{id}/preview';
export const DRY_RUN = 'POST /aijob/{id}/dry-run';
export const QUEUE = 'POST /aijob/{id}/execution-queue';
export const STREAM = 'GET /aijob/{id}/chatstream';
export const RUNS = 'GET /aijob/{id}/runs';
export const CHATS = 'GET /aijob/{jobId}/runs/{runId}/chats';
export const CHAT = `${CHATS}/{chatId}`;
export const RUN_RESULTS = 'GET /aijob/{id}/runs/{runId}/results';
export const RESULTS = 'GET /aijob/{id}/results/{type}';
export const RESULT = `${RESULTS}/{resultId}`;
export const APPROVE = 'POST /aijob/{id}/results/{type}/approvals';
export const BULK = 'PUT /aijob/{id}/bulk-result-approval-request';
export const AUDIT = 'GET /auditLog/{objectId}/{objectTypeId}';
export const AUDIT_MANY = 'GET /auditLog/getByObjectTypeIds';

/** Creation and update of items. */
export const POLICIES = [CREATE, UPDATE] as const;
export const AGENTS = ['POST /aiagent', UPDATE_AGENT] as const;
export const JOBS = ['POST /aijob', UPDATE_JOB] as const;
export const JOB_WRITES = [...JOBS, PATCH, DRY_RUN, PREVIEW] as const;
export const WRITES = [...POLICIES, ...AGENTS, ...JOBS] as const;

/** Lists that are paged with pageNumber and pageSize. */
export const NUMBERED = [RUNS, RESULTS, CHATS, RUN_RESULTS] as const;
