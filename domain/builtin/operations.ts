import type { Contract, Operation } from '../../spec/index.ts';
import { Skip } from '../context.ts';
import { resourcesOf } from '../resources.ts';
import type { Resource } from '../resources.ts';

/** Operations of the platform by their role. */
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
  actions: 'GET /accesscontrolpolicies/actions',
  createAgent: 'POST /aiagent',
  updateAgent: 'PUT /aiagent/{id}',
  agents: 'GET /aiagent',
  readAgent: 'GET /aiagent/{id}',
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

export type OperationRole = keyof typeof OPERATIONS;

/** The operation with a role; undefined where the description has none, or is one of another API with a path of that name. */
export function findOperation(contract: Contract, role: OperationRole): Operation | undefined {
  const operation = contract.operation(OPERATIONS[role]);
  return contract.builtIn || operation?.inDocument === true ? operation : undefined;
}

/** The operation with a role; throws {@link Skip} where there is none. */
export function operationOf({ contract }: { readonly contract: Contract }, role: OperationRole): Operation {
  const operation = findOperation(contract, role);
  if (operation === undefined) throw new Skip(`the description has no ${OPERATIONS[role]}`);
  return operation;
}

/** The resource that an operation creates. */
export function resourceFor(
  { contract }: { readonly contract: Contract },
  role: 'createPolicy' | 'createAgent' | 'createJob',
): Resource {
  const resource = resourcesOf(contract).find((each) => each.create.id === OPERATIONS[role]);
  if (resource === undefined) throw new Skip(`the description has no ${OPERATIONS[role]}`);
  return resource;
}

const DESCRIPTION_PATH = '/swagger/v1/swagger.json';

/** The description that a deployment serves of itself (platform.md): no operation of the API document. */
export const SERVED_DESCRIPTION: Operation = {
  id: `GET ${DESCRIPTION_PATH}`,
  method: 'GET',
  path: DESCRIPTION_PATH,
  forms: [{ name: '/api', path: `/api${DESCRIPTION_PATH}`, pointer: '' }],
  tag: 'Description',
  summary: 'The description of the deployment',
  parameters: [],
  responses: [{ status: 'default', content: [], headers: {} }],
  permission: 'any',
  effect: 'read',
  inDocument: true,
  extensions: {},
};
