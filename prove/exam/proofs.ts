import type { CheckName } from '../../spec/index.ts';

/** What shows that a check works and is needed. */
export type Proof =
  /** A defect that this check must report; if possible, one that no other check reports. `by` selects tests that report it. */
  | { readonly catches: string; readonly by: string }
  /** A test that covers the check, if a single run against a defective service cannot. */
  | { readonly provedBy: string };

/** For every check, the defect that it must catch. `assay prove` always runs these. */
export const PROOFS = {
  answered: { catches: 'body-cut GET /aijobskills', by: 'contract/operations & GET /aijobskills' },
  'no-server-error': {
    catches: 'fails-on-parameter:take-negative GET /accesscontrolpolicies',
    by: 'contract/parameters & GET /accesscontrolpolicies',
  },
  'status-documented': { catches: 'status-202 GET /aijobskills', by: 'contract/operations & GET /aijobskills' },
  'valid-request-served': {
    catches: 'full-token-refused GET /aijobskills',
    by: 'contract/operations & GET /aijobskills',
  },
  'content-type-offered': {
    catches: 'content-type-html GET /aijob/summary',
    by: 'contract/operations & GET /aijob/summary',
  },
  'json-well-formed': { catches: 'status-json-truncated', by: 'contract/operations & GET /status' },
  'body-fits-schema': { catches: 'object-in-array GET /aijob/summary', by: 'contract/operations & GET /aijob/summary' },
  'own-id': { catches: 'chat-of-another', by: 'contract/operations & GET /aijob/{jobId}/runs/{runId}/chats/{chatId}' },
  'headers-declared': {
    catches: 'content-type-missing GET /accesscontrolpolicies/actions',
    by: 'contract/operations & GET /accesscontrolpolicies/actions',
  },
  'form-equivalence': { catches: 'status-201-in-form POST /aijob', by: 'contract/forms & POST /aijob' },
  'form-shared-state': {
    catches: 'deleted-in-one-form-only GET /aiagent/{id}',
    by: 'contract/shared-state & POST /aiagent',
  },
  authentication: { catches: 'no-token-accepted GET /aijobskills', by: 'contract/authentication & GET /aijobskills' },
  'tenant-isolation': { catches: 'other-tenant-served GET /aiagent/{id}', by: 'contract/tenants & POST /aiagent' },
  authorisation: {
    catches: 'limited-token-accepted GET /aijob/summary',
    by: 'contract/authentication & GET /aijob/summary',
  },
  'served-description': { catches: 'description-declares-v2', by: 'contract/description' },
  'unknown-id': {
    catches: 'unknown-id-answered:410 GET /aiagent/{id}',
    by: 'contract/ids & GET /aiagent/{id} & unknown-id',
  },
  'malformed-id': {
    catches: 'malformed-id-answered:200 GET /aiagent/{id}',
    by: 'contract/ids & GET /aiagent/{id} & malformed-id',
  },
  'malformed-json': {
    catches: 'malformed-json-answered:422 POST /aiagent',
    by: 'contract/bodies & POST /aiagent & malformed-json',
  },
  'request-media-types': {
    catches: 'media-type-refused:text/json-415 POST /accesscontrolpolicies/setprocessingorder',
    by: 'contract/bodies & POST /accesscontrolpolicies/setprocessingorder & request-media-types',
  },
  'response-media-types': {
    catches: 'accept-refused:text/json-406 GET /aijob/summary',
    by: 'contract/media & GET /aijob/summary',
  },
  'paging-defaults': {
    catches: 'page-size-default GET /accesscontrolpolicies',
    by: 'paging-defaults & GET /accesscontrolpolicies',
  },
  'paging-base': { catches: 'page-base GET /aijob/{id}/runs', by: 'paging-base & GET /aijob/{id}/runs' },
  'paging-partition': {
    catches: 'pages-skip GET /auditLog/{objectId}/{objectTypeId}',
    by: 'paging-partition & GET /auditLog/{objectId}/{objectTypeId}',
  },
  'paging-past-end': { catches: 'page-past-1000-repeats-first', by: 'paging-past-end & GET /accesscontrolpolicies' },
  ordering: {
    catches: 'order-key-ignored:orderBy GET /accesscontrolpolicies',
    by: 'contract/ordering & GET /accesscontrolpolicies',
  },
  filters: {
    catches: 'filter-ignored:filterCreator GET /accesscontrolpolicies',
    by: 'state/filters/policies & *filterCreator selects*',
  },
  'query-styles': {
    catches: 'filter-first-value-only:objectIds GET /auditLog/getByObjectTypeIds',
    by: 'state/audit & *several objectIds*',
  },
  'int64-offset': {
    catches: 'offset-rounded:offset GET /aijob/{id}/chatstream',
    by: 'int64-offset & GET /aijob/{id}/chatstream',
  },
  'created-reads-back': {
    catches: 'member-lost:instructions POST /aiagent',
    by: 'state/lifecycle & POST /aiagent & *can be read and is listed*',
  },
  'updated-reads-back': {
    catches: 'update-keeps-where-empty:description PUT /aiagent/{id}',
    by: 'properties/valid-bodies & PUT /aiagent/{id} & *left out, null or empty*',
  },
  'deleted-is-gone': {
    catches: 'deleted-still-listed GET /aiagent',
    by: 'state/lifecycle & DELETE /aiagent/{id} & *a deletion removes that item only*',
  },
  'json-patch': {
    catches: 'patch-altered:move-copies PATCH /aijob/{id}',
    by: 'state/json-patch & *applies a patch: move*',
  },
  'refused-changes-nothing': {
    catches: 'refused-write-happens PUT /aiagent/{id}',
    by: 'contract/authentication & PUT /aiagent/{id}',
  },
  activation: { catches: 'activations-counted', by: 'state/activation & POST /accesscontrolpolicies/{id}/activate' },
  'processing-order': {
    catches: 'order-shown-otherwise:by-id GET /accesscontrolpolicies/byprocessingorder',
    by: 'state/order & *any processing order is returned*',
  },
  'job-runs': {
    catches: 'write-twice POST /aijob/{id}/execution-queue',
    by: 'state/jobs/runs & POST /aijob/{id}/execution-queue & *is listed once*',
  },
  'job-ownership': {
    catches: 'runs-share-chats',
    by: 'state/jobs/ownership & GET /aijob/{jobId}/runs/{runId}/chats/{chatId}',
  },
  'dry-run': { catches: 'trial-stored POST /aijob/{id}/dry-run', by: 'state/jobs/runs & POST /aijob/{id}/dry-run' },
  approvals: {
    catches: 'write-forgotten PUT /aijob/{id}/bulk-result-approval-request',
    by: 'state/approvals & PUT /aijob/{id}/bulk-result-approval-request',
  },
  'audit-log': {
    catches: 'log-silent GET /auditLog/{objectId}/{objectTypeId}',
    by: 'state/audit & GET /auditLog/{objectId}/{objectTypeId} & *adds an audit log entry*',
  },
  'model-conformance': {
    catches: 'order-activates-its-first',
    by: 'state/sequences & POST /accesscontrolpolicies/setprocessingorder',
  },
  overlap: {
    catches: 'orders-merged POST /accesscontrolpolicies/setprocessingorder',
    by: 'state/overlap & POST /accesscontrolpolicies/setprocessingorder & *two overlapping processing orders*',
  },
  'clue-accepted': { catches: 'clue-version-of-five-parts-400', by: 'state/clues & POST /clue & *documented shape*' },
  'raw-accepted': {
    catches: 'refuses-value:many-members POST /admin/entity/ProcessClue',
    by: 'state/clues & POST /admin/entity/ProcessClue & *of any shape*',
  },
  'equal-json': { catches: 'spelling-refused:white-space POST /aiagent', by: 'properties/equivalence & POST /aiagent' },
  'invalid-refused': { catches: 'validation-answered-422', by: 'properties/invalid & PUT /aiagent/{id}' },
  'published-behaviour': {
    catches: 'invalid-accepted:name POST /aijob',
    by: 'state/published & POST /aijob & *a name is required*',
  },
  'snapshot-behaviour': { provedBy: 'suites/snapshot/learn.test.ts, with two runs' },
} as const satisfies Record<CheckName, Proof>;
