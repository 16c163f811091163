import type { Operation } from '../../spec/index.ts';
import { resourcesOf } from '../resources.ts';
import type { Resource } from '../resources.ts';
import type { Session } from '../../suites/kit/session.ts';
import { Skip } from '../../suites/kit/context.ts';

/** Operations that the domain's suites speak of, by what they do. */
export const OPERATIONS = {
  policies: 'GET /accesscontrolpolicies',
  activate: 'POST /accesscontrolpolicies/{id}/activate',
  deactivate: 'POST /accesscontrolpolicies/{id}/deactivate',
  order: 'GET /accesscontrolpolicies/byprocessingorder',
  setOrder: 'POST /accesscontrolpolicies/setprocessingorder',
  createPolicy: 'POST /accesscontrolpolicies',
  readPolicy: 'GET /accesscontrolpolicies/{id}',
  updatePolicy: 'PUT /accesscontrolpolicies/{id}',
  deletePolicy: 'DELETE /accesscontrolpolicies/{id}',
  createAgent: 'POST /aiagent',
  agents: 'GET /aiagent',
  createJob: 'POST /aijob',
  jobs: 'GET /aijob',
  readJob: 'GET /aijob/{id}',
  updateJob: 'PUT /aijob/{id}',
  patchJob: 'PATCH /aijob/{id}',
  deleteJob: 'DELETE /aijob/{id}',
  summary: 'GET /aijob/summary',
  preview: 'POST /aijob/{id}/preview',
  dryRun: 'POST /aijob/{id}/dry-run',
  queue: 'POST /aijob/{id}/execution-queue',
  runs: 'GET /aijob/{id}/runs',
  chats: 'GET /aijob/{jobId}/runs/{runId}/chats',
  chat: 'GET /aijob/{jobId}/runs/{runId}/chats/{chatId}',
  chatStream: 'GET /aijob/{id}/chatstream',
  runResults: 'GET /aijob/{id}/runs/{runId}/results',
  results: 'GET /aijob/{id}/results/{type}',
  result: 'GET /aijob/{id}/results/{type}/{resultId}',
  approve: 'POST /aijob/{id}/results/{type}/approvals',
  bulkApprove: 'PUT /aijob/{id}/bulk-result-approval-request',
  skills: 'GET /aijobskills',
  audit: 'GET /auditLog/{objectId}/{objectTypeId}',
  auditByIds: 'GET /auditLog/getByObjectTypeIds',
  vocabularyKeys: 'GET /vocabs/keys',
  clue: 'POST /clue',
  raw: 'POST /admin/entity/ProcessClue',
  status: 'GET /status',
} as const;

/** An operation of the domain; throws {@link Skip} where the description has none. */
export function operationOf(session: Session, name: keyof typeof OPERATIONS): Operation {
  const operation = session.contract.operation(OPERATIONS[name]);
  if (operation === undefined) throw new Skip(`the description has no ${OPERATIONS[name]}`);
  return operation;
}

/** The resource that an operation of the domain creates. */
export function resourceFor(session: Session, name: 'createPolicy' | 'createAgent' | 'createJob'): Resource {
  const resource = resourcesOf(session.contract).find((each) => each.create.id === OPERATIONS[name]);
  if (resource === undefined) throw new Skip(`the description has no ${OPERATIONS[name]}`);
  return resource;
}
