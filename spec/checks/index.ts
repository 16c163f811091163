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
import { ownId } from './own-id.ts';
import { noServerError } from './no-server-error.ts';
import { statusDocumented } from './status-documented.ts';
import { validRequestServed } from './valid-request-served.ts';

export type { CheckEntry, Expectation } from './check.ts';
export { isTooLarge, mayLack, mayLackPermission } from './valid-request-served.ts';
export { covers, isJsonType, isOfGateway, isServed, isSuccess, responseFor } from './media.ts';

/** All checks by name. Those with a judge run on every exchange, the others in suites. Defects: `prove/defects/proofs.ts`. */
export const CHECKS = {
  answered: { rule: 'A request gets a complete, well-formed HTTP response.', judge: answered },
  'no-server-error': { rule: 'No response has a 5xx status.', judge: noServerError },
  'status-documented': { rule: 'A successful response has a documented status.', judge: statusDocumented },
  'valid-request-served': { rule: 'A valid request by an authorised caller is served.', judge: validRequestServed },
  'content-type-offered': {
    rule: 'The body of a successful response has an offered media type.',
    judge: contentTypeOffered,
  },
  'json-well-formed': {
    rule: 'A response is JSON where its media type, the request or the document says so.',
    judge: jsonWellFormed,
  },
  'body-fits-schema': {
    rule: 'A response body matches the schema of its status and media type.',
    judge: bodyFitsSchema,
  },
  'own-id': {
    rule: 'A read by id returns that item with its content; ids do not change, and those documented as uuids are uuids.',
    judge: ownId,
  },
  'headers-declared': {
    rule: 'Required response headers are present, all match their schemas, and a body has a Content-Type.',
    judge: headersDeclared,
  },

  'form-equivalence': { rule: 'The same request gets the same response through both forms.' },
  'form-shared-state': { rule: 'Data written through one form is visible through the other.' },
  authentication: { rule: 'A request with missing, invalid or expired credentials is answered with 401.' },
  authorisation: {
    rule: 'A token without the declared permission gets 403; a token with it is served, and so is any valid token if no permission is declared.',
  },
  'served-description': {
    rule: 'The description that the deployment serves has the documented version, permissions and interface.',
  },
  'tenant-isolation': { rule: 'Data created by one tenant is invisible to other tenants (warning).' },
  'unknown-id': { rule: 'An unknown id is answered with 404.' },
  'malformed-id': { rule: 'A malformed id is answered with 400 or 404.' },
  'malformed-json': { rule: 'A body with an unclosed object is answered with 400.' },
  'request-media-types': { rule: 'Every documented request media type is accepted.' },
  'response-media-types': { rule: 'Every documented response media type can be requested.' },
  'paging-defaults': { rule: 'Without paging parameters the documented defaults apply.' },
  'paging-base': { rule: 'The first page has the documented number.' },
  'paging-partition': { rule: 'The pages hold every item exactly once.' },
  'paging-past-end': { rule: 'A page past the end is empty.' },
  ordering: { rule: 'The parameter orderBy sets the order; orderAsc and sortDirection set the direction.' },
  filters: { rule: 'A filter selects exactly the items that match it.' },
  'query-styles': { rule: 'Query values in deepObject style and with repeated keys are understood.' },
  'int64-offset': { rule: 'Offsets keep all 64 bits.' },
  'created-reads-back': { rule: 'A created item is readable and listed, with the values that were sent.' },
  'updated-reads-back': { rule: 'An updated item is readable with the values that were sent.' },
  'deleted-is-gone': { rule: 'A deleted item is neither readable nor listed.' },
  'json-patch': { rule: 'PATCH applies JSON Patch (RFC 6902) completely or not at all.' },
  'refused-changes-nothing': { rule: 'A refused request changes nothing.' },
  activation: { rule: 'Activating a policy makes it active, deactivating it makes it inactive.' },
  'processing-order': { rule: 'The processing order is returned as it was set.' },
  'job-runs': { rule: 'A queued run appears, ends and stays ended.' },
  'job-ownership': { rule: 'Runs, chats and results are readable only under their own job.' },
  'dry-run': { rule: 'Dry runs and previews do not change stored data.' },
  approvals: { rule: 'Approvals change the state of results.' },
  'audit-log': { rule: 'A change appears in the audit log.' },
  'model-conformance': { rule: 'A sequence of calls gets the responses that the model allows.' },
  overlap: { rule: 'The outcome of overlapping calls is explained by some order of them (linearizability).' },
  'clue-accepted': { rule: 'A valid clue with any properties is accepted.' },
  'equal-json': { rule: 'Equivalent JSON gets the same response in any encoding.' },
  'invalid-refused': { rule: 'A request that violates a constraint is refused (with --strict).' },
  'published-behaviour': { rule: 'The service behaves as published outside the API document (warning).' },
  'snapshot-behaviour': { rule: 'Undocumented behavior is the same as in the snapshot (with --snapshot).' },
  'raw-accepted': { rule: 'Raw data of any shape is accepted.' },
} satisfies Record<CheckName, CheckEntry>;

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
