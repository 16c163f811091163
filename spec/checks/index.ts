import type { Contract, Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import { answered } from './answered.ts';
import { bodyFitsSchema } from './body-fits-schema.ts';
import type { CheckName } from '../finding-codes.ts';
import type { Violation } from '../violation.ts';
import type { CheckEntry, Expectation } from './check.ts';
import { contentTypeOffered } from './content-type-offered.ts';
import { headersDeclared } from './headers-declared.ts';
import { jsonWellFormed } from './json-well-formed.ts';
import { noServerError } from './no-server-error.ts';
import { statusDocumented } from './status-documented.ts';
import { validRequestServed } from './valid-request-served.ts';

export type { CheckEntry, Expectation, Judge, Subject } from './check.ts';
export { mayLack } from './valid-request-served.ts';
export { covers, isJsonType, isSuccess, responseFor } from './media.ts';

/**
 * All checks by name. Those with a judge run on every exchange; the others are run by the suites, which refer to them by
 * name. `catches` names defects that the check must catch; `assay prove` verifies that.
 */
export const CHECKS = {
  answered: {
    rule: 'A request gets a complete, well-formed HTTP response.',
    catches: ['deactivate-cuts-connection'],
    judge: answered,
  },
  'no-server-error': {
    rule: 'No response has a 5xx status.',
    catches: ['unknown-agent-500', 'patch-unknown-500', 'bad-integer-500'],
    judge: noServerError,
  },
  'status-documented': {
    rule: 'A successful response has a documented status.',
    catches: ['create-policy-202', 'update-agent-206', 'skills-203'],
    judge: statusDocumented,
  },
  'valid-request-served': {
    rule: 'A valid request by an authorised caller is served.',
    catches: ['full-refused-actions', 'plain-skills-404', 'queue-after-preview-404'],
    judge: validRequestServed,
  },
  'content-type-offered': {
    rule: 'The body of a successful response has an offered media type.',
    catches: ['policies-as-html', 'job-as-xml', 'runs-as-octets'],
    judge: contentTypeOffered,
  },
  'json-well-formed': {
    rule: 'A response with a JSON media type is JSON.',
    catches: ['skills-cut-short', 'order-trailing-comma'],
    judge: jsonWellFormed,
  },
  'body-fits-schema': {
    rule: 'A response body matches the schema of its status and media type.',
    catches: ['policies-as-object', 'policy-in-array', 'create-answers-object'],
    judge: bodyFitsSchema,
  },
  'headers-declared': {
    rule: 'Required response headers are present, and a body has a Content-Type.',
    catches: ['skills-untyped'],
    judge: headersDeclared,
  },

  'form-equivalence': {
    rule: 'The same request gets the same response through both forms.',
    catches: ['v1-create-policy-201', 'v1-other-media-type', 'v1-delete-agent-204'],
  },
  'form-shared-state': {
    rule: 'Data written through one form is visible through the other.',
    catches: ['form-write-unseen'],
  },
  authentication: {
    rule: 'A missing, invalid or expired token is answered with 401.',
    catches: [
      'no-token-accepted-policies',
      'invalid-token-accepted',
      'expired-token-accepted',
      'malformed-header-accepted',
    ],
  },
  authorisation: {
    rule: 'A token without the permission is answered with 403, any valid token where none is declared is served.',
    catches: ['limited-accepted-policies', 'limited-401', 'limited-refused-skills'],
  },
  'served-without-token': { rule: 'The status check is served without a token.', catches: ['status-needs-token'] },
  'unknown-id': {
    rule: 'An id that names nothing is answered with 404.',
    catches: ['unknown-policy-200', 'unknown-policy-410', 'delete-unknown-200'],
  },
  'malformed-id': { rule: 'An id that is no uuid is answered with 400 or 404.', catches: ['malformed-object-id-200'] },
  'malformed-json': {
    rule: 'A body with an unclosed object is answered with 400.',
    catches: ['unclosed-accepted', 'bad-body-422', 'unclosed-clue-accepted'],
  },
  'request-media-types': {
    rule: 'Every documented request media type is accepted.',
    catches: ['text-json-refused', 'vendor-json-refused', 'json-patch-type-refused'],
  },
  'response-media-types': {
    rule: 'Every offered response media type can be asked for.',
    catches: ['accept-text-json-406', 'text-plain-latin1'],
  },
  'paging-defaults': {
    rule: 'Without paging parameters the documented defaults apply.',
    catches: ['take-default-10', 'page-size-default-20', 'page-default-1'],
  },
  'paging-base': {
    rule: 'The first page has the documented number.',
    catches: ['page-one-based', 'page-number-zero-based'],
  },
  'paging-partition': {
    rule: 'The pages hold every item exactly once.',
    catches: ['pages-overlap', 'pages-skip', 'last-item-lost'],
  },
  'paging-past-end': { rule: 'A page past the end is empty.', catches: ['past-end-repeats', 'past-end-404'] },
  ordering: {
    rule: 'orderBy sets the order; orderAsc and sortDirection set the direction.',
    catches: ['order-by-ignored', 'order-asc-ignored', 'sort-direction-ignored'],
  },
  filters: {
    rule: 'A filter selects exactly the items that match it.',
    catches: [
      'filter-active-inverted',
      'filter-creator-ignored',
      'search-name-ignored',
      'search-quote-finds-nothing',
      'search-decoded-twice',
      'search-cut-at-64',
      'state-filter-ignored',
    ],
  },
  'query-styles': {
    rule: 'Query values in deepObject style and with repeated keys are understood.',
    catches: ['metadata-filter-first-key', 'object-ids-first-only'],
  },
  'int64-offset': { rule: 'Offsets keep all 64 bits.', catches: ['offset-rounded'] },
  'created-reads-back': {
    rule: 'A created item is readable and listed, with the values that were sent.',
    catches: ['create-answers-other-id', 'create-other-name'],
  },
  'updated-reads-back': {
    rule: 'An updated item is readable with the values that were sent.',
    catches: [
      'update-not-stored',
      'agent-update-not-stored',
      'update-empty-rules-kept',
      'update-empty-description-kept',
      'rename-by-case-ignored',
    ],
  },
  'deleted-is-gone': {
    rule: 'A deleted item is neither readable nor listed.',
    catches: ['deleted-still-listed', 'delete-does-nothing'],
  },
  'json-patch': {
    rule: 'PATCH applies JSON Patch (RFC 6902) completely or not at all.',
    catches: ['patch-not-stored'],
  },
  'refused-changes-nothing': { rule: 'A refused request changes nothing.', catches: ['limited-activates'] },
  activation: {
    rule: 'Activating a policy makes it active, deactivating it makes it inactive.',
    catches: ['activate-does-nothing', 'deactivate-does-nothing'],
  },
  'processing-order': {
    rule: 'The processing order is returned as it was set.',
    catches: ['order-not-stored', 'order-reversed'],
  },
  'job-runs': { rule: 'A queued run appears, ends and stays ended.', catches: ['run-not-queued', 'run-queued-twice'] },
  'job-ownership': {
    rule: 'Runs, chats and results are readable only under their own job.',
    catches: ['chats-under-other-job', 'result-under-other-job'],
  },
  'dry-run': {
    rule: 'Dry runs and previews do not change stored data.',
    catches: ['dry-run-stores', 'preview-stores'],
  },
  approvals: {
    rule: 'Approvals change the state of results.',
    catches: ['approval-does-nothing', 'bulk-approval-does-nothing'],
  },
  'audit-log': { rule: 'A change appears in the audit log.', catches: ['audit-silent-update', 'audit-silent-delete'] },
  'model-conformance': {
    rule: 'A sequence of calls gets the responses that the model allows.',
    catches: [],
    provedBy: 'suites/oracle/oracle.test.ts; the defects of the catalogue show as more special checks',
  },
  overlap: {
    rule: 'The outcome of overlapping calls is explained by some order of them (linearizability).',
    catches: ['lost-update-by-activation', 'order-of-two', 'torn-update'],
  },
  'clue-accepted': {
    rule: 'A valid clue is accepted, whatever its properties.',
    catches: ['big-bag-400', 'bag-empty-value-400'],
  },
  'equal-json': { rule: 'Equal JSON gets the same response, however it is written.', catches: ['white-space-400'] },
  'invalid-refused': {
    rule: 'A request that violates a constraint is refused (with --strict).',
    catches: ['nameless-agent-accepted'],
  },
  'published-behaviour': {
    rule: 'The service behaves as published outside the API document (warning).',
    catches: ['nameless-agent-accepted'],
  },
  'snapshot-behaviour': {
    rule: 'Undocumented behavior is the same as in the snapshot (with --snapshot).',
    catches: [],
    provedBy: 'suites/snapshot/snapshot.test.ts, with two runs',
  },
  'raw-accepted': { rule: 'Raw data is accepted whatever its shape.', catches: ['wide-raw-400'] },
} satisfies Record<CheckName, CheckEntry>;

/** The entry of a check, whatever its name. */
export function checkEntry(name: CheckName): CheckEntry {
  return CHECKS[name];
}

const JUDGES = Object.values<CheckEntry>(CHECKS).flatMap(({ judge }) => (judge === undefined ? [] : [judge]));

/** Judges one exchange by all checks of single exchanges. Pure. */
export function judgeExchange(
  contract: Contract,
  operation: Operation,
  exchange: Exchange,
  expectation: Expectation = 'any',
): readonly Violation[] {
  const subject = { contract, operation, exchange, expectation };
  const context = { operation, form: exchange.form, exchanges: [exchange] };
  return JUDGES.flatMap((judge) => judge(subject)).map((violation) => ({ ...violation, ...context }));
}
