import type { CheckName } from '../../spec/index.ts';

/** What shows that a check works and is needed. */
export type Proof =
  /** A defect that this check must report; if possible, one that no other check reports. `by` selects tests that report it. */
  | { readonly catches: string; readonly by: string }
  /** A test that covers the check, if a single run against a defective service cannot. */
  | { readonly provedBy: string };

/** A defect of an operation, caught by those of the selected tests that are about this operation. */
const on = (operation: string, defect: string, tests: string): Proof => ({
  catches: `${defect} ${operation}`,
  by: `${tests} & ${operation}`,
});

/** For every check, the defect that it must catch. `assay prove` always runs these. */
export const PROOFS = {
  answered: on('GET /aijobskills', 'body-cut', 'contract/operations'),
  'no-server-error': on('GET /accesscontrolpolicies', 'fails-on-parameter:take-negative', 'contract/parameters'),
  'status-documented': on('GET /aijobskills', 'status-202', 'contract/operations'),
  'valid-request-served': on('GET /aijobskills', 'full-token-refused', 'contract/operations'),
  'content-type-offered': on('GET /aijob/summary', 'content-type-html', 'contract/operations'),
  'json-well-formed': { catches: 'status-json-truncated', by: 'contract/operations & GET /status' },
  'body-fits-schema': on('GET /aijob/summary', 'object-in-array', 'contract/operations'),
  'own-id': { catches: 'chat-of-another', by: 'contract/operations & GET /aijob/{jobId}/runs/{runId}/chats/{chatId}' },
  'headers-declared': on('GET /accesscontrolpolicies/actions', 'content-type-missing', 'contract/operations'),
  'form-equivalence': on('POST /aijob', 'status-201-in-form', 'contract/forms'),
  'form-shared-state': {
    catches: 'deleted-in-one-form-only GET /aiagent/{id}',
    by: 'contract/shared-state & POST /aiagent',
  },
  authentication: on('GET /aijobskills', 'no-token-accepted', 'contract/authentication'),
  'tenant-isolation': { catches: 'other-tenant-served GET /aiagent/{id}', by: 'contract/tenants & POST /aiagent' },
  authorisation: on('GET /aijob/summary', 'limited-token-accepted', 'contract/authentication'),
  'served-description': { catches: 'description-declares-v2', by: 'contract/description' },
  'unknown-id': on('GET /aiagent/{id}', 'unknown-id-answered:410', 'contract/ids & unknown-id'),
  'malformed-id': on('GET /aiagent/{id}', 'malformed-id-answered:200', 'contract/ids & malformed-id'),
  'malformed-json': on('POST /aiagent', 'malformed-json-answered:422', 'contract/bodies & malformed-json'),
  'request-media-types': on(
    'POST /accesscontrolpolicies/setprocessingorder',
    'media-type-refused:text/json-415',
    'contract/bodies & request-media-types',
  ),
  'response-media-types': on('GET /aijob/summary', 'accept-refused:text/json-406', 'contract/media'),
  'paging-defaults': on('GET /accesscontrolpolicies', 'page-size-default', 'paging-defaults'),
  'paging-base': on('GET /aijob/{id}/runs', 'page-base', 'paging-base'),
  'paging-partition': on('GET /auditLog/{objectId}/{objectTypeId}', 'pages-skip', 'paging-partition'),
  'paging-past-end': { catches: 'page-past-1000-repeats-first', by: 'paging-past-end & GET /accesscontrolpolicies' },
  ordering: on('GET /accesscontrolpolicies', 'order-key-ignored:orderBy', 'contract/ordering'),
  filters: {
    catches: 'filter-ignored:filterCreator GET /accesscontrolpolicies',
    by: 'state/filters/policies & *filterCreator selects*',
  },
  'query-styles': {
    catches: 'filter-first-value-only:objectIds GET /auditLog/getByObjectTypeIds',
    by: 'state/audit & *several objectIds*',
  },
  'int64-offset': on('GET /aijob/{id}/chatstream', 'offset-rounded:offset', 'int64-offset'),
  'created-reads-back': on(
    'POST /aiagent',
    'member-lost:instructions',
    'state/lifecycle & *can be read and is listed*',
  ),
  'updated-reads-back': on(
    'PUT /aiagent/{id}',
    'update-keeps-where-empty:description',
    'properties/valid-bodies & *left out, null or empty*',
  ),
  'deleted-is-gone': {
    catches: 'deleted-still-listed GET /aiagent',
    by: 'state/lifecycle & DELETE /aiagent/{id} & *a deletion removes that item only*',
  },
  'json-patch': {
    catches: 'patch-altered:move-copies PATCH /aijob/{id}',
    by: 'state/json-patch & *applies a patch: move*',
  },
  'refused-changes-nothing': on('PUT /aiagent/{id}', 'refused-write-happens', 'contract/authentication'),
  activation: { catches: 'activations-counted', by: 'state/activation & POST /accesscontrolpolicies/{id}/activate' },
  'processing-order': {
    catches: 'order-shown-otherwise:by-id GET /accesscontrolpolicies/byprocessingorder',
    by: 'state/order & *any processing order is returned*',
  },
  'job-runs': on('POST /aijob/{id}/execution-queue', 'write-twice', 'state/jobs/runs & *is listed once*'),
  'job-ownership': {
    catches: 'runs-share-chats',
    by: 'state/jobs/ownership & GET /aijob/{jobId}/runs/{runId}/chats/{chatId}',
  },
  'dry-run': on('POST /aijob/{id}/dry-run', 'trial-stored', 'state/jobs/runs'),
  approvals: on('PUT /aijob/{id}/bulk-result-approval-request', 'write-forgotten', 'state/approvals'),
  'audit-log': on('GET /auditLog/{objectId}/{objectTypeId}', 'log-silent', 'state/audit & *adds an audit log entry*'),
  'model-conformance': {
    catches: 'order-activates-its-first',
    by: 'state/sequences & POST /accesscontrolpolicies/setprocessingorder',
  },
  overlap: on(
    'POST /accesscontrolpolicies/setprocessingorder',
    'orders-merged',
    'state/overlap & *two overlapping processing orders*',
  ),
  'clue-accepted': { catches: 'clue-version-of-five-parts-400', by: 'state/clues & POST /clue & *documented shape*' },
  'raw-accepted': on('POST /admin/entity/ProcessClue', 'refuses-value:many-members', 'state/clues & *of any shape*'),
  'equal-json': on('POST /aiagent', 'spelling-refused:white-space', 'properties/equivalence'),
  'invalid-refused': { catches: 'validation-answered-422', by: 'properties/invalid & PUT /aiagent/{id}' },
  'published-behaviour': on('POST /aijob', 'invalid-accepted:name', 'state/published & *a name is required*'),
  'snapshot-behaviour': { provedBy: 'suites/snapshot/snapshot.e2e.test.ts, with three runs' },
} satisfies Record<CheckName, Proof>;
