import { pageOf } from './models.ts';

/** The described types of an operation's body and response, and its query parameters with defaults. */
export interface Interface {
  readonly body?: string;
  readonly response?: string;
  readonly query?: Readonly<Record<string, string>>;
}

const POLICY = 'AccessControlPolicyModel';
const JOB = 'AiJobViewModel';
const TAKEN = { page: 'int=0', take: 'int=20' };
const NUMBERED = { pageNumber: 'int=1', pageSize: 'int=10', sortDirection: '0|1' };

/** By operation id. An operation that is missing here is not in the published description. */
export const INTERFACES: Readonly<Record<string, Interface>> = {
  'GET /accesscontrolpolicies': {
    response: `${POLICY}[]`,
    query: {
      ...TAKEN,
      filterActive: 'flag',
      filterCreator: 'text',
      searchName: 'text',
      orderBy: 'text',
      orderAsc: 'flag=true',
    },
  },
  'POST /accesscontrolpolicies': { body: POLICY, response: 'uuid' },
  'GET /accesscontrolpolicies/byprocessingorder': { response: 'AccessControlPolicyOrderingModel[]' },
  'POST /accesscontrolpolicies/setprocessingorder': { body: 'AccessControlPolicyOrderingModel[]' },
  'POST /accesscontrolpolicies/{id}/activate': {},
  'POST /accesscontrolpolicies/{id}/deactivate': {},
  'GET /accesscontrolpolicies/{id}': { response: POLICY },
  'PUT /accesscontrolpolicies/{id}': { body: POLICY },
  'DELETE /accesscontrolpolicies/{id}': {},
  'GET /accesscontrolpolicies/actions': { response: 'RuleActionModel[]' },
  'GET /aiagent': { query: { metadataFilter: 'map' } },
  'POST /aiagent': { body: 'AddAiAgentModel' },
  'GET /aiagent/{id}': {},
  'PUT /aiagent/{id}': { body: 'UpdateAiAgentModel' },
  'DELETE /aiagent/{id}': {},
  'GET /aijob': { response: 'AiJobListItemViewModel[]', query: { metadataFilter: 'map' } },
  'POST /aijob': { body: 'AddAiJobModel', response: JOB },
  'GET /aijob/{id}': { response: JOB },
  'PUT /aijob/{id}': { body: 'UpdateAiJobModel', response: JOB },
  'PATCH /aijob/{id}': { body: 'Operation[]', response: JOB },
  'DELETE /aijob/{id}': {},
  'GET /aijob/summary': { response: 'AiJobResultSummaryViewModel' },
  'POST /aijob/{id}/preview': { body: 'GenerateAiJobPreviewModel', response: 'AiJobPreviewViewModel' },
  'GET /aijob/{id}/chatstream': { response: 'StreamItem+AiJobRunChat[]', query: { offset: 'long' } },
  'GET /aijob/{id}/results/{type}': {
    response: pageOf('AiJobResultListItemViewModel'),
    query: { state: 'text', searchName: 'text', ...NUMBERED },
  },
  'GET /aijob/{id}/results/{type}/{resultId}': { response: 'AiJobResultViewModel' },
  'GET /aijob/{id}/runs': { response: pageOf('AiJobRunListItemViewModel'), query: { runType: '0|1|2', ...NUMBERED } },
  'GET /aijob/{jobId}/runs/{runId}/chats': {
    response: pageOf('AiJobRunChatListItemViewModel'),
    query: { includeOnlyChatsWithNoResults: 'flag=false', ...NUMBERED },
  },
  'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}': { response: 'AiJobRunChatViewModel' },
  'GET /aijob/{id}/runs/{runId}/results': { response: pageOf('AiJobRunResultViewModel'), query: NUMBERED },
  'POST /aijob/{id}/execution-queue': { response: 'RunNowResultModel' },
  'POST /aijob/{id}/dry-run': { body: 'UpdateAiJobModel', response: 'RunNowResultModel' },
  'PUT /aijob/{id}/bulk-result-approval-request': { body: 'BulkAiResultApprovalRequestModel' },
  'POST /aijob/{id}/results/{type}/approvals': { body: 'AiResultApprovalModel' },
  'GET /aijobskills': { response: 'SkillModel[]' },
  'GET /auditLog/{objectId}/{objectTypeId}': { query: TAKEN },
  'GET /auditLog/getByObjectTypeIds': {
    query: {
      objectIds: 'uuid[]',
      objectTypeIds: 'uuid[]',
      authorId: 'uuid',
      fromDate: 'date',
      toDate: 'date',
      ...TAKEN,
    },
  },
  'GET /vocabs/keys': { query: { ...TAKEN, searchName: 'text' } },
  'GET /v2/search/suggest': { query: { q: 'text' } },
  'GET /v3/search/suggest': { query: { q: 'text' } },
};
