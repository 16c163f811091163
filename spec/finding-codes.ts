/**
 * Every code that a finding can have, by check, with its meaning. A code is `check/name`, for example `overlap/lost-update`;
 * it is stable between releases and part of the finding's fingerprint. Messages may change freely, codes may not.
 */
export const FINDING_CODES = {
  answered: {
    'no-response': 'The connection was closed, timed out or broke the protocol before a complete response arrived.',
    endless: 'The response body does not end.',
  },
  'no-server-error': { status: 'The response status is 5xx.' },
  'status-documented': { status: 'The response has an undocumented success or redirect status.' },
  'valid-request-served': {
    refused: 'A valid request was refused.',
    'without-token': 'An endpoint that needs no token refused a request without one.',
    'token-refused': 'A token with every permission was refused with 401.',
    'not-there': 'A documented operation returns 404 or 405 for a request that refers to no resource.',
    'member-refused': 'A valid request was refused because of a member or parameter that the schema allows.',
  },
  'content-type-offered': {
    'media-type': 'The response has a media type that the description does not offer.',
    refusal: 'A refusal has a media type that the description does not offer for its status.',
    'not-as-asked': 'The response does not have the media type that Accept requests, although it is offered.',
  },
  'json-well-formed': {
    malformed: 'A JSON response cannot be parsed.',
    'not-json': 'JSON was requested or is documented, but the response is not JSON.',
  },
  'body-fits-schema': {
    mismatch: 'The response body does not match its schema.',
    missing: 'The documented response body is missing.',
    'write-only': 'A response contains a member that the description declares writeOnly.',
  },
  'own-id': {
    other: 'A read returns a different item from the one in the path.',
    'other-content': 'An item is read with the content of another one.',
    changing: 'The ids of the items of a list differ in each response.',
    format: 'An id is not a uuid.',
  },
  'headers-declared': {
    missing: 'A required response header is missing.',
    mismatch: 'A response header does not match its schema.',
  },
  'form-equivalence': {
    status: 'The two forms of a path answer with different statuses.',
    'media-type': 'The two forms of a path answer with different media types.',
    body: 'The two forms of a path answer with different bodies.',
    shape: 'The two forms of a path answer with bodies of different shapes.',
    refusal: 'The two forms of a path refuse an invalid request differently.',
    stored: 'The two forms of a path store the same value differently.',
  },
  'form-shared-state': {
    'created-not-readable': 'An item created through one form is not readable through the other.',
    'created-not-listed': 'An item created through one form is not listed by the other.',
    'deleted-still-readable': 'An item deleted through one form is still readable through the other.',
  },
  authentication: {
    accepted: 'A request with missing, invalid or expired credentials was served.',
    status: 'A request with missing, invalid or expired credentials was refused with a status other than 401.',
  },
  authorisation: {
    accepted: 'A request without the required permission was served.',
    status: 'A request without the required permission was refused with a status other than 403.',
    refused: 'A valid token was refused where no permission is required.',
    'permission-refused': 'A token with the required permission was refused.',
  },
  'tenant-isolation': {
    readable: 'An item is readable with the token of another tenant.',
    listed: 'An item is listed for the token of another tenant.',
    changed: 'An item was changed with the token of another tenant.',
  },
  'served-description': {
    version: 'The description served by the deployment declares a different version.',
    permission: 'The description served by the deployment states a different permission in a summary, or none.',
    drift: 'The description served by the deployment lacks a documented operation, form or parameter.',
  },
  'unknown-id': { status: 'An unknown id is not answered with 404.' },
  'malformed-id': {
    status: 'A malformed id is not answered with 400 or 404.',
    empty: 'A path with an empty id (two consecutive slashes) is served.',
  },
  'malformed-json': {
    served: 'A body that is not JSON was accepted.',
    status: 'A body that is not JSON was refused with a status other than 400.',
  },
  'request-media-types': { refused: 'A documented request media type was refused.' },
  'response-media-types': {
    refused: 'An offered response media type was refused.',
    content: 'The content differs between response media types.',
  },
  'paging-defaults': {
    size: 'Without paging parameters the page does not have the documented size.',
    number: 'Without paging parameters the page is not the first one.',
  },
  'paging-base': {
    'first-page': 'The first page does not have the documented number.',
    'same-page': 'The first two page numbers return the same page.',
  },
  'paging-partition': {
    'page-too-long': 'A page holds more items than requested.',
    'page-too-short': 'A page in the middle of the list is not full.',
    'item-twice': 'An item is on two pages.',
    'unknown-item': 'A page holds an item that is not in the list.',
    'items-lost': 'Items are missing between pages.',
    'items-missing': 'Items are missing when the list is sorted.',
    'no-list': 'A page is not a list.',
    order: 'The pages are not in the order of the whole list.',
  },
  'paging-past-end': {
    items: 'A page past the end holds items.',
    status: 'A page past the end is not answered with success and a list.',
  },
  ordering: {
    'order-by': 'orderBy does not sort the list.',
    'order-asc': 'orderAsc does not set the direction.',
    'order-asc-default': 'orderAsc is not true by default.',
    'sort-direction': 'sortDirection does not reverse the list.',
  },
  filters: {
    'not-found': 'A filter omits an item that matches.',
    'wrongly-found': 'A filter returns an item that does not match.',
    ignored: 'A filter is ignored: every value returns the same items.',
    'default-value': 'A filter does not have its documented default.',
    'lost-on-page': 'Items that match a filter are missing with small pages or in one sort direction.',
    'lost-on-next-page': 'A filter is not applied to pages after the first.',
  },
  'query-styles': {
    'repeated-key': 'Only some values of a repeated query key are used.',
    'deep-object': 'Only some keys of a deepObject parameter are used.',
    ignored: 'A query parameter is ignored.',
    'parameter-order': 'The order of the query parameters changes the response.',
  },
  'int64-offset': {
    'past-end': 'An offset past the end returns items.',
    'before-offset': 'Items before the offset are returned.',
    'items-lost': 'Items after the offset are missing.',
  },
  'created-reads-back': {
    'not-readable': 'A created item is not readable under the id that was returned.',
    'not-listed': 'A created item is not listed.',
    member: 'A created item does not return the value of a member that was sent.',
    respelled: 'A created item returns a modified text: trimmed, normalised or stripped of markup.',
    'other-id': 'A created item has a different id from the one that was returned.',
    'same-id': 'Two created items have the same id.',
    'created-twice': 'One request created several items.',
    'other-parent': 'A created item is readable below another item than the one it was added to.',
    'listed-member': 'The list and the item itself show different values of a member.',
    'listed-twice': 'One response of a list contains an item twice.',
    response: 'The response to a creation does not return the value of a member that was sent.',
  },
  'updated-reads-back': {
    'not-readable': 'An updated item is not readable.',
    member: 'An updated item does not return the value of a member that was sent.',
    respelled: 'An updated item returns a modified text: trimmed, normalised or stripped of markup.',
    'other-item': 'An update changed another item.',
    'other-id': 'An update changed the id of an item.',
    response: 'The response to an update does not return the value of a member that was sent.',
    'not-listed': 'An updated item is not listed.',
    'listed-member': 'The list does not show the values of an update.',
    'stale-version': 'An update is served although If-Match names another version of the item.',
    'other-member': 'A PATCH changed a member that it does not name.',
    'kept-key': 'An updated map keeps keys that the update left out.',
  },
  'deleted-is-gone': {
    readable: 'A deleted item is still readable.',
    listed: 'A deleted item is still listed.',
    'in-processing-order': 'A deleted policy is still in the processing order.',
    served: 'A request for a deleted item is served.',
    status: 'A request for a deleted item is not answered with 404.',
    'other-item': 'A deletion removed or changed another item.',
  },
  'json-patch': {
    response: 'The response to a patch does not show the patched document.',
    result: 'The stored document is not the result of the patch.',
    served: 'A patch that cannot be applied was served.',
    status: 'A patch that cannot be applied was refused with a wrong status.',
    'not-atomic': 'A patch that fails changed the document.',
  },
  'refused-changes-nothing': {
    'changed-data': 'A refused request changed data.',
    stored: 'A refused request stored data.',
  },
  activation: {
    'not-active': 'A policy is not active after activation.',
    'not-inactive': 'A policy is not inactive after deactivation.',
    'other-policy': 'Activating or deactivating a policy changed another one.',
    'changed-content': 'Activating or deactivating a policy changed its content.',
    'changed-by-order': 'Setting the processing order changed the state of a policy.',
    'changed-by-update': 'Updating a policy changed its state, although the update contained the current state.',
    'state-member': 'The state member of a policy contradicts the filter.',
  },
  'processing-order': {
    'not-as-set': 'The processing order is not returned as it was set.',
    changed: 'A request that does not set the processing order changed it.',
    'lacks-policy': 'The processing order lacks policies.',
    'extra-policy': 'The processing order lists a policy twice, or one that does not exist.',
  },
  'job-runs': {
    'not-listed': 'A queued run is not listed within the settle time.',
    'queued-twice': 'One request queued several runs.',
    'not-ended': 'A run does not end.',
    'ended-again': 'A run that ended is reopened or ends again.',
    lost: 'An earlier run is no longer listed.',
    'stream-empty': 'The chat stream of a job contains none of its chats.',
    'summary-constant': 'The summary stays the same when results are added, approved or rejected.',
  },
  'job-ownership': {
    'other-job': 'Runs, chats or results are readable under another job.',
    'other-type': 'A result is readable under a type that it does not have.',
    'other-run': 'A run shows chats or results of another run.',
    'same-content': 'Two runs show the same chats or results.',
    'not-readable': 'A chat or result that is listed is not readable under its id.',
  },
  'dry-run': {
    'changed-job': 'A dry run, a preview or a run changed the stored job.',
    'real-run': 'A dry run or preview created a real run.',
    'run-lost': 'A dry run or preview removed a run.',
  },
  approvals: {
    'not-moved': 'An approval did not change the state of a result.',
    'other-result': 'An approval changed a result that it does not name.',
    'other-job': 'An approval changed results of another job.',
    'refused-moves': 'A refused approval changed a result.',
    reopened: 'An approved or rejected result is pending again.',
    'state-differs': 'The result and the filtered list contradict each other.',
    'other-form': 'The two forms of a path decide results differently.',
    divided: 'One call approved some of its results and rejected others.',
    'filter-unknown': 'The state filter does not know the state of a result.',
  },
  'audit-log': {
    'no-entry': 'A change leaves no entry in the audit log within the settle time.',
    'other-object': 'Entries of other objects are listed.',
    'other-type': 'Entries of an object are listed under a type that it does not have.',
  },
  'model-conformance': {
    status: 'A sequence of calls is answered with a status that the model does not allow.',
    state: 'The state after a sequence of calls is not one that the model allows.',
    'other-item': 'A call changed another item.',
    'not-lasting': 'The state of an item changed after the last call.',
  },
  overlap: {
    'lost-update': 'The effect of one of several overlapping calls is lost.',
    'not-linearizable': 'The final state is not the result of any order of these overlapping calls.',
    read: 'A read during overlapping calls returned a state that never existed.',
    'same-id': 'Overlapping creations returned the same id.',
    'list-incomplete': 'A list read during other calls omits existing items.',
    'other-response': 'A request was answered with the response to an overlapping one.',
    'created-twice': 'One of several overlapping creations created several items.',
    'order-mixed': 'The processing order mixes overlapping orders.',
    'runs-lost': 'Runs queued by overlapping calls are missing.',
  },
  'clue-accepted': {
    refused: 'A valid clue was refused.',
    'second-time': 'The same clue gets a different response the second time.',
  },
  'equal-json': {
    status:
      'The same JSON, sent with another media type, another spelling of the media type, or other JSON syntax, gets a different status.',
    'media-type': 'The same JSON, sent with another media type or JSON syntax, gets a different media type.',
    shape: 'The same JSON, sent with another media type or JSON syntax, gets a response of a different shape.',
  },
  'invalid-refused': {
    accepted: 'A request that violates a constraint was accepted.',
    status: 'A request that fails validation is refused with a status other than 400.',
  },
  'published-behaviour': {
    accepted: 'A request that should be refused was accepted.',
    refused: 'A request that should be accepted was refused.',
    value: 'The response is not as published.',
    missing: 'A published member or item is missing.',
  },
  'snapshot-behaviour': { changed: 'Undocumented behavior differs from the snapshot.' },
  'raw-accepted': {
    refused: 'Raw data was refused because of its shape or its texts.',
    'second-time': 'The same raw data gets a different response the second time.',
  },
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type CheckName = keyof typeof FINDING_CODES;

/** Code of a finding: `check/name`. */
export type FindingCode = { [C in CheckName]: `${C}/${keyof (typeof FINDING_CODES)[C] & string}` }[CheckName];

export function checkOf(code: FindingCode): CheckName {
  return code.slice(0, code.indexOf('/')) as CheckName;
}
