import type { Contract, Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import { answered } from './answered.ts';
import { bodyFitsSchema } from './body-fits-schema.ts';
import type { Breach, CheckEntry, Expectation } from './check.ts';
import { contentTypeOffered } from './content-type-offered.ts';
import { headersDeclared } from './headers-declared.ts';
import { jsonWellFormed } from './json-well-formed.ts';
import { noServerError } from './no-server-error.ts';
import { statusDocumented } from './status-documented.ts';
import { validRequestServed } from './valid-request-served.ts';

export type { Breach, CheckEntry, Expectation, Judge, Subject } from './check.ts';
export { covers, isJsonType, isSuccess, responseFor } from './media.ts';

/**
 * All checks by name. Those with a judge look at every exchange; the others are tried by the suites, which cite them by
 * these names. `catches` names faults of the embedded service that a check must find; `assay prove` holds it to that.
 */
export const CHECKS = {
  'answered': { rule: 'A request is answered in well-formed HTTP.', catches: [], judge: answered },
  'no-server-error': { rule: 'No request is answered with a 5xx.', catches: [], judge: noServerError },
  'status-documented': { rule: 'A success has a documented status.', catches: [], judge: statusDocumented },
  'valid-request-served': { rule: 'A valid request by a caller who may send it is served.', catches: [], judge: validRequestServed },
  'content-type-offered': { rule: 'The body of a success is of an offered media type.', catches: [], judge: contentTypeOffered },
  'json-well-formed': { rule: 'What says it is JSON is JSON.', catches: [], judge: jsonWellFormed },
  'body-fits-schema': { rule: 'A body fits the schema of its status and media type.', catches: [], judge: bodyFitsSchema },
  'headers-declared': { rule: 'Required response headers are there.', catches: [], judge: headersDeclared },

  'form-equivalence': { rule: 'The same request gives the same answer through both forms.', catches: [] },
  'form-shared-state': { rule: 'What is written through one form is seen through the other.', catches: [] },
  'authentication': { rule: 'A missing, invalid or expired token is answered with 401.', catches: [] },
  'authorisation': { rule: 'A token without the permission is answered with 403, any valid token where none is declared is served.', catches: [] },
  'served-without-token': { rule: 'The status check is served without a token.', catches: [] },
  'unknown-id': { rule: 'An id that names nothing is answered with 404.', catches: [] },
  'malformed-id': { rule: 'An id that is no uuid is answered with 400 or 404.', catches: [] },
  'malformed-json': { rule: 'A body with an unclosed object is answered with 400.', catches: [] },
  'request-media-types': { rule: 'Every documented request media type is accepted.', catches: [] },
  'response-media-types': { rule: 'Every offered response media type can be asked for.', catches: [] },
  'paging-defaults': { rule: 'Without paging parameters the documented defaults apply.', catches: [] },
  'paging-base': { rule: 'The first page has the documented number.', catches: [] },
  'paging-partition': { rule: 'The pages hold every item once.', catches: [] },
  'paging-past-end': { rule: 'A page past the end is empty.', catches: [] },
  'ordering': { rule: 'The order is as orderBy says; orderAsc and sortDirection turn it round.', catches: [] },
  'filters': { rule: 'A filter selects exactly what it says.', catches: [] },
  'query-styles': { rule: 'Query values in deepObject style and with repeated keys are understood.', catches: [] },
  'int64-offset': { rule: 'Offsets keep all 64 bits.', catches: [] },
  'created-reads-back': { rule: 'What was created is there, as it was sent.', catches: [] },
  'updated-reads-back': { rule: 'What was updated is there, as it was sent.', catches: [] },
  'deleted-is-gone': { rule: 'What was deleted is neither readable nor listed.', catches: [] },
  'json-patch': { rule: 'PATCH does what RFC 6902 says, wholly or not at all.', catches: [] },
  'refused-changes-nothing': { rule: 'A refused request changes nothing.', catches: [] },
  'activation': { rule: 'To activate a policy makes it active, to deactivate it inactive.', catches: [] },
  'processing-order': { rule: 'The processing order is read back as it was set.', catches: [] },
  'job-runs': { rule: 'A queued run appears, ends and stays ended.', catches: [] },
  'job-ownership': { rule: 'Runs, chats and results are readable under their own job only.', catches: [] },
  'dry-run': { rule: 'Dry runs and previews change nothing that is stored.', catches: [] },
  'approvals': { rule: 'Approvals move the state of results.', catches: [] },
  'audit-log': { rule: 'A change shows in the audit log.', catches: [] },
  'clue-accepted': { rule: 'A valid clue is accepted, whatever its property bag holds.', catches: [] },
  'raw-accepted': { rule: 'Raw data is answered alike, whatever its shape.', catches: [] },
} satisfies Record<string, CheckEntry>;

export type CheckName = keyof typeof CHECKS;

/** The entry of a check, whatever its name. */
export function checkEntry(name: CheckName): CheckEntry {
  return CHECKS[name];
}

const JUDGES = (Object.keys(CHECKS) as CheckName[]).flatMap((name) => {
  const { judge } = checkEntry(name);
  return judge === undefined ? [] : [{ name, judge }];
});

/** Judges one exchange by all checks that look at single exchanges. Pure. */
export function judgeExchange(
  contract: Contract,
  operation: Operation,
  exchange: Exchange,
  expectation: Expectation = 'any',
): readonly { readonly check: CheckName; readonly breach: Breach }[] {
  const subject = { contract, operation, exchange, expectation };
  return JUDGES.flatMap(({ name, judge }) => judge(subject).map((breach) => ({ check: name, breach })));
}
