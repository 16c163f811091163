import type { CheckName, FindingCode } from '../../spec/index.ts';

/** How to see the violation of a check without Assay. */
export const BY_HAND = {
  answered: 'Send the request with curl -v: the connection closes, times out or the body does not end.',
  'no-server-error': 'Send the request with curl -i: the status is 5xx.',
  'status-documented': 'Send the request with curl -i and compare the status with the responses of the operation.',
  'valid-request-served': 'Send the request with curl -i and a token with every permission: it is refused.',
  'content-type-offered':
    'Send the request with curl -i and compare Content-Type with the media types of the operation.',
  'json-well-formed': 'Pipe the body of the response into a JSON parser: curl … | jq .',
  'body-fits-schema': 'Validate the body against the schema that the finding points to, at the place that it names.',
  'own-id': 'Read an item by its id and compare the id in the body with the one in the path.',
  'headers-declared': 'Send the request with curl -i and look for the header.',
  'form-equivalence': 'Send the same request to both forms of the path and compare status, Content-Type and body.',
  'form-shared-state': 'Write through one form of the path, then read through the other.',
  authentication: 'Send the request without credentials, with wrong ones and with expired ones: each must be 401.',
  authorisation: 'Send the request with a token that lacks the permission (403), then with one that has it (served).',
  'served-description': 'Fetch the description that the deployment serves and compare it with the documented one.',
  'tenant-isolation': 'Create an item, then read, list and change it with a token of another tenant.',
  'unknown-id': 'Replace the id in the path by a random uuid: the status must be 404.',
  'malformed-id':
    'Replace the id in the path by x: the status must be 400 or 404. Leave it out, so that // remains: no success.',
  'malformed-json': 'Send the body {"name": with curl -i: the status must be 400, and nothing is stored.',
  'request-media-types': 'Send the same body once for each documented Content-Type.',
  'response-media-types': 'Send the request once for each offered media type in Accept, and compare the contents.',
  'paging-defaults': 'Send the request without paging parameters, then with the documented defaults, and compare.',
  'paging-base': 'Compare the page without a number, the first and the second one.',
  'paging-partition': 'Read all pages, one after the other, and compare the ids with those of one large page.',
  'paging-past-end': 'Ask for a page far past the end: it must be empty, with status 200.',
  ordering: 'Read the list in both directions and look whether the members that it sorts by are in order.',
  filters: 'Read the list with and without the filter, and compare which items match.',
  'query-styles': 'Send the parameters as the description writes them, then singly or in another order, and compare.',
  'int64-offset': 'Read the stream with an offset beyond 2^53, and with one in the middle.',
  'created-reads-back': 'Create an item, then read it, list it, and compare each member with what was sent.',
  'updated-reads-back': 'Update an item, then read it, and compare each member with what was sent; look at others too.',
  'deleted-is-gone': 'Delete an item, then read it, list it and delete it again.',
  'json-patch': 'Read an item, patch it, read it again, and apply the same patch with another tool.',
  'refused-changes-nothing': 'Read the data, send the request that is refused, and read the data again.',
  activation: 'Activate or deactivate a policy, then list with filterActive=true and filterActive=false.',
  'processing-order': 'Set the processing order, then read it back, also after other requests.',
  'job-runs': 'Queue a run of a job, then list its runs until it ends.',
  'job-ownership': 'Ask for the run, chat or result of one job under the id of another.',
  'dry-run': 'Read a job and its runs, start a dry run or a preview, and read both again.',
  approvals: 'Approve or reject a result, then read it and list the results by state.',
  'audit-log': 'Change an item, then read the audit log of its id.',
  'model-conformance': 'Send the steps of the finding, in that order, and compare each status.',
  overlap:
    'Send the steps of the finding at the same time (curl … & curl … & wait), then read. Repeat this several times.',
  'clue-accepted': 'Post the clue of the finding, twice.',
  'equal-json':
    'Send the body as application/json, then in another documented media type or another spelling of it (capitals, charset), or with other white space, order of members or escapes, and compare.',
  'invalid-refused': 'Send the request of the finding: it violates a constraint of the schema and should be 400.',
  'published-behaviour':
    'Send the request of the finding and compare with the published documentation of the platform.',
  'snapshot-behaviour': 'Send the request of the finding and compare with the entry of the snapshot file.',
  'raw-accepted': 'Post the raw data of the finding, twice.',
} as const satisfies Readonly<Record<CheckName, string>>;

/** For codes for which another way shows it. */
export const BY_HAND_OF_CODE: Readonly<Partial<Record<FindingCode, string>>> = {
  'updated-reads-back/other-item': 'Create two items, update one of them, and read the other.',
  'deleted-is-gone/other-item': 'Create two items, delete one of them, then read and list the other.',
  'model-conformance/other-item':
    'Send the calls of the finding in their order, then read the item that none of them names.',
  'paging-partition/items-lost': 'Create some items, read all pages with one page size, and look for their ids.',
};
