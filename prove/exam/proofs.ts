import type { CheckName } from '../../spec/index.ts';

/** What shows that a check works and is needed. */
export type Proof =
  /** A defect that this check must report; if possible, one that no other check reports. */
  | { readonly catches: string }
  /** A test that covers the check, if a single run against a defective service cannot. */
  | { readonly provedBy: string };

/** For every check, the defect that it must catch. `assay prove` always runs these. */
export const PROOFS = {
  answered: { catches: 'body-cut GET /aijobskills' },
  'no-server-error': { catches: 'fails-on-parameter:take-negative GET /accesscontrolpolicies' },
  'status-documented': { catches: 'status-206 GET /aijobskills' },
  'valid-request-served': { catches: 'full-token-refused GET /aijobskills' },
  'content-type-offered': { catches: 'content-type-html GET /aijob/summary' },
  'json-well-formed': { catches: 'status-json-truncated' },
  'body-fits-schema': { catches: 'object-in-array GET /aijob/summary' },
  'own-id': { catches: 'chat-of-another' },
  'headers-declared': { catches: 'content-type-missing GET /accesscontrolpolicies/actions' },
  'form-equivalence': { catches: 'status-201-in-form POST /aijob' },
  'form-shared-state': { catches: 'deleted-in-one-form-only GET /aiagent/{id}' },
  authentication: { catches: 'no-token-accepted GET /aijobskills' },
  'tenant-isolation': { catches: 'other-tenant-served GET /aiagent/{id}' },
  authorisation: { catches: 'limited-token-accepted GET /aijob/summary' },
  'served-description': { catches: 'description-declares-v2' },
  'unknown-id': { catches: 'unknown-id-answered:410 GET /aiagent/{id}' },
  'malformed-id': { catches: 'malformed-id-answered:200 GET /aiagent/{id}' },
  'malformed-json': { catches: 'malformed-json-answered:422 POST /aiagent' },
  'request-media-types': { catches: 'media-type-refused:text/json-415 POST /accesscontrolpolicies/setprocessingorder' },
  'response-media-types': { catches: 'accept-refused:text/json-406 GET /aijob/summary' },
  'paging-defaults': { catches: 'page-size-default GET /accesscontrolpolicies' },
  'paging-base': { catches: 'page-base GET /aijob/{id}/runs' },
  'paging-partition': { catches: 'pages-skip GET /auditLog/{objectId}/{objectTypeId}' },
  'paging-past-end': { catches: 'page-past-1000-repeats-first' },
  ordering: { catches: 'order-key-ignored:orderBy GET /accesscontrolpolicies' },
  filters: { catches: 'filter-ignored:filterCreator GET /accesscontrolpolicies' },
  'query-styles': { catches: 'filter-first-value-only:objectIds GET /auditLog/getByObjectTypeIds' },
  'int64-offset': { catches: 'offset-rounded:offset GET /aijob/{id}/chatstream' },
  'created-reads-back': { catches: 'member-lost:instructions POST /aiagent' },
  'updated-reads-back': { catches: 'update-keeps-where-empty:description PUT /aiagent/{id}' },
  'deleted-is-gone': { catches: 'deleted-still-listed GET /aiagent' },
  'json-patch': { catches: 'patch-altered:move-copies PATCH /aijob/{id}' },
  'refused-changes-nothing': { catches: 'refused-write-happens PUT /aiagent/{id}' },
  activation: { catches: 'activations-counted' },
  'processing-order': { catches: 'order-shown-otherwise:by-id GET /accesscontrolpolicies/byprocessingorder' },
  'job-runs': { catches: 'write-twice POST /aijob/{id}/execution-queue' },
  'job-ownership': { catches: 'runs-share-chats' },
  'dry-run': { catches: 'trial-stored POST /aijob/{id}/dry-run' },
  approvals: { catches: 'write-forgotten PUT /aijob/{id}/bulk-result-approval-request' },
  'audit-log': { catches: 'log-silent GET /auditLog/{objectId}/{objectTypeId}' },
  'model-conformance': { catches: 'order-activates-its-first' },
  overlap: { catches: 'orders-merged POST /accesscontrolpolicies/setprocessingorder' },
  'clue-accepted': { catches: 'clue-version-of-five-parts-400' },
  'raw-accepted': { catches: 'refuses-value:many-members POST /admin/entity/ProcessClue' },
  'equal-json': { catches: 'spelling-refused:white-space POST /aiagent' },
  'invalid-refused': { catches: 'validation-answered-422' },
  'published-behaviour': { catches: 'invalid-accepted:name POST /aijob' },
  'snapshot-behaviour': { provedBy: 'suites/snapshot/learn.test.ts, with two runs' },
} as const satisfies Record<CheckName, Proof>;
