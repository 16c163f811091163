import { expect, it } from 'vitest';
import { answered, casesOf, found, withSteps } from '../testing/merged-finding.ts';
import { explains } from './root-causes.ts';
import type { MergedFinding } from './types.ts';

const EXPLAINED = casesOf(`
a run of another job: 404
  job-ownership/other-job: GET /aijob/{id}/runs
  valid-request-served/refused: GET /aijob/{jobId}/runs/{runId}/chats: 404
a queued run that seems to be several: 200
  job-ownership/other-job: GET /aijob/{id}/runs
  job-runs/queued-twice: POST /aijob/{id}/execution-queue
an operation that needs no token: 401
  valid-request-served/without-token: GET /status
  valid-request-served/refused: GET /status: 401
a read that finds no item, and a form that does not show it: 404
  valid-request-served/refused: GET /aijob/{id}: 404
  form-shared-state/created-not-readable: GET /aijob/{id}
another kind of change that the log leaves out: 200
  audit-log/no-entry: GET /auditLog: PUT /aiagent/{id}
  audit-log/no-entry: GET /auditLog: DELETE /aijob/{id}
a request without a token, and an expired one: 200
  authentication/accepted: GET /aijob: no-token
  authentication/accepted: GET /aijob: expired-token
the same member, stored wrongly in other items: 200
  updated-reads-back/member: PUT /aijob/{id}: /dataSources several-members
  updated-reads-back/member: PUT /aijob/{id}: dataSources
a response that shows the result of a wrong patch: 200
  json-patch/result: PATCH /aijob/{id}: add
  json-patch/response: PATCH /aijob/{id}: add
media types that one operation refuses: 415
  request-media-types/refused: POST /clue: text/json 415
  request-media-types/refused: POST /clue: application/vnd.assay+json 415
a token of which the end is not compared: 200
  authentication/accepted: GET /aijob: shortened-token
  authentication/accepted: POST /clue: lengthened-token
an accepted token, and a request that is refused for its content: 409
  authentication/accepted: GET /aijob: shortened-token
  authentication/status: POST /aijob/{id}/approvals: shortened-token 409
a list that any valid token may read, and which does not exist: 404
  valid-request-served/refused: GET /skills: 404
  authorisation/refused: GET /skills: 404
results of another job: 404
  job-ownership/other-job: GET /aijob/{id}/results/{type}
  job-ownership/not-readable: GET /aijob/{id}/results/{type}/{resultId}
a list that leaves out new items, also those of overlapping creations: 200
  created-reads-back/not-listed: GET /aiagent
  overlap/lost-update: POST /aiagent: create
ids that are no uuids, in a list and in its items: 200
  own-id/format: GET /aijob/{id}/results/{type}
  body-fits-schema/mismatch: GET /aijob/{id}/results/{type}/{resultId}: /id format
a list that shows another state than the item: 200
  activation/not-active: GET /policies
  activation/state-member: GET /policies/{id}: isActive
pages that are sorted each for itself: 200
  ordering/order-by: GET /policies: pages
  paging-partition/order: GET /policies: ?orderBy ?take
`);
const APART = casesOf(`
a run that is refused otherwise: 400
  job-ownership/other-job: GET /aijob/{id}/runs
  valid-request-served/refused: GET /aijob/{jobId}/runs/{runId}/chats
a job that is not found: 404
  job-ownership/other-job: GET /aijob/{id}/runs
  valid-request-served/refused: GET /aijob/{id}: 404
a form that does not show an item, and a read that finds none through any form: 404
  form-shared-state/created-not-readable: GET /aijob/{id}
  valid-request-served/refused: GET /aijob/{id}: 404
a member that is stored otherwise, and an invalid value that is accepted: 200
  created-reads-back/member: POST /accesscontrolpolicies: /description
  published-behaviour/accepted: POST /accesscontrolpolicies: unregistered-action
a second deletion that is served, and a first one that is: 200
  deleted-is-gone/served: DELETE /aiagent/{id}
  published-behaviour/accepted: DELETE /aiagent/{id}: agent-in-use
a token with more text, and an expired one: 200
  authentication/accepted: GET /aijob: lengthened-token
  authentication/accepted: GET /aijob: expired-token
a token of another kind that is refused with another status: 404
  authentication/accepted: GET /aijob: shortened-token
  authentication/status: POST /clue: expired-token 404
an order that one page lacks, and pages that are mixed: 200
  ordering/order-by: GET /policies
  paging-partition/order: GET /policies: ?orderBy ?take
a deletion that removes another item, and a filter: 200
  deleted-is-gone/other-item: DELETE /aiagent/{id}
  filters/wrongly-found: GET /aiagent: metadataFilter
a job whose runs are still served, and a filter of results: 200
  deleted-is-gone/served: GET /aijob/{id}/runs
  filters/wrongly-found: GET /aijob/{id}/runs/{runId}/results: state
an activation that changes the description, and a filter: 200
  activation/changed-content: POST /policies/{id}/activate: description
  filters/wrongly-found: GET /policies: filterActive
a member that is lost, and keys that a map keeps: 200
  updated-reads-back/member: PUT /aiagent/{id}: /description several-members
  updated-reads-back/kept-key: PUT /aiagent/{id}: metadata
a list and a map, stored wrongly in unusual items: 200
  updated-reads-back/member: PUT /aijob/{id}: /dataSources several-members
  updated-reads-back/member: PUT /aijob/{id}: /metadata several-members
a patch that is applied although its test fails, and a lost update: 200
  json-patch/not-atomic: PATCH /aijob/{id}: replace+test
  overlap/lost-update: PATCH /aijob/{id}: patch+patch
a wrong result, which the response shows: 200
  json-patch/response: PATCH /aijob/{id}: add
  json-patch/result: PATCH /aijob/{id}: add
a member that is lost at once, and a change that is undone later: 200
  created-reads-back/member: POST /policies: condition
  model-conformance/not-lasting: GET /policies: other-content
a state that is undone, and overlapping orders that are mixed: 200
  model-conformance/not-lasting: GET /policies: listed-active
  overlap/order-mixed: POST /policies/setprocessingorder: set-order+set-order
items that are lost, and pages in another order: 200
  paging-partition/items-lost: GET /policies
  paging-partition/order: GET /policies: ?orderBy
`);

it.each([...EXPLAINED, ...APART])('one cause or two: %s', (title, cause = '', effect = '') => {
  const status = Number(title?.split(': ').at(-1));
  const common = { requirement: 'runs.list', forms: ['/api', '/api/v1'], ...answered(status) };
  const [root, symptom] = [found('a', cause, common), found('b', effect, common)];
  expect(explains(root, symptom)).toBe(EXPLAINED.some(([each]) => each === title));
});

it('an item that a filter still finds after its deletion is explained by the deletion', () => {
  const root = found('a', 'deleted-is-gone/listed: GET /aijob');
  const symptom = found('b', 'filters/wrongly-found: GET /aijob: metadataFilter');
  const { steps } = withSteps(symptom, ({ request }) => ({ request: { ...request, method: 'DELETE' } }));
  expect(explains(root, symptom)).toBe(false);
  expect(explains(root, { ...symptom, steps: [...steps, ...symptom.steps] })).toBe(true);
});

it('a first page that is wrong also when its test runs alone is not explained by items of other jobs', () => {
  const root = found('a', 'job-ownership/other-job: GET /aijob/{id}/runs');
  const symptom = found('b', 'paging-base/first-page: GET /aijob/{id}/runs');
  expect(explains(root, symptom)).toBe(true);
  expect(explains(root, { ...symptom, recurred: true })).toBe(false);
});

it('a query that fails on two operations is one cause', () => {
  const failing = (operation: string, query: string) =>
    withSteps(found(operation, `no-server-error/status: GET ${operation}: 500`), ({ request }) => ({
      request: { ...request, url: `http://localhost/api${operation}${query}` },
    }));
  const root = failing('/v2/suggest', '?q=%22');
  expect(explains(root, failing('/v3/suggest', '?q=%22'))).toBe(true);
  for (const query of ['?q=%27', '']) expect(explains(root, failing('/v3/suggest', query))).toBe(false);
  expect(explains(failing('/v2/suggest', ''), failing('/v3/suggest', ''))).toBe(false);
});

it('a wrong order is explained by the form that shows another one', () => {
  const root = found('a', 'form-equivalence/body: GET /policies/byprocessingorder: order');
  const set = found('b', 'processing-order/not-as-set: POST /policies/setprocessingorder');
  const readBy = (operation: string) => withSteps(set, () => ({ operation }));
  expect(explains(root, readBy('GET /policies/byprocessingorder'))).toBe(true);
  expect(explains(root, readBy('GET /policies'))).toBe(false);
});

it('a list that is read with a search beside other calls lacks what that search omits anyway', () => {
  const root = found('a', 'filters/not-found: GET /policies: searchName');
  const beside = found('b', 'overlap/list-incomplete: GET /policies');
  const readAt = (url: string) => withSteps(beside, ({ request }) => ({ request: { ...request, url } }));
  expect(explains(root, readAt('http://h/api/policies?searchName=a&page=0'))).toBe(true);
  expect(explains(root, readAt('http://h/api/policies?page=0'))).toBe(false);
  const named = found('c', 'filters/not-found: GET /policies: filter{name}');
  expect(explains(named, readAt('http://h/api/policies?filter%7Bname%7D=a'))).toBe(true);
});

it('an order that is not returned as it was set explains that it moves with other changes', () => {
  const root = found('a', 'processing-order/not-as-set: POST /policies/setprocessingorder');
  const moved = found('b', 'processing-order/changed: POST /policies/{id}/activate');
  const setting = withSteps(moved, () => ({ operation: root.operation }));
  const afterSetting = { ...moved, steps: [...setting.steps, ...moved.steps] };
  expect(explains(root, moved)).toBe(false);
  expect(explains(root, afterSetting)).toBe(true);
  expect(explains(afterSetting, root)).toBe(false);
});

it('an unknown id that is served explains that ids of special kinds are served, but not that they are answered otherwise', () => {
  const root = found('a', 'unknown-id/status: DELETE /policies/{id}: id 200');
  const nil = found('b', 'unknown-id/status: DELETE /policies/{id}: nil 200');
  const fails = found('c', 'unknown-id/status: DELETE /policies/{id}: nil 500');
  expect(explains(root, nil)).toBe(true);
  expect(explains(nil, root)).toBe(false);
  expect(explains(root, fails)).toBe(false);
});

it('a media type that is refused explains valid requests with such a body that are refused in the same way', () => {
  const withType = (one: MergedFinding, type: string, status: number): MergedFinding =>
    withSteps({ ...one, ...answered(status) }, ({ request }) => ({
      request: { ...request, headers: { 'content-type': type } },
    }));
  const root = withType(found('a', 'request-media-types/refused: PATCH /jobs/{id}: text/json 415'), 'text/json', 415);
  const symptom = found('b', 'valid-request-served/refused: PATCH /jobs/{id}: 415 replace');
  expect(explains(root, withType(symptom, 'text/json', 415))).toBe(true);
  expect(explains(root, withType(symptom, 'application/json', 415))).toBe(false);
  expect(explains(root, withType(symptom, 'text/json', 400))).toBe(false);
});

it('malformed JSON that one form accepts explains that the forms differ', () => {
  const root = found('a', 'malformed-json/served: PUT /jobs/{id}', { forms: ['/api'] });
  const symptom = found('b', 'form-equivalence/refusal: PUT /jobs/{id}: 400 not 200');
  expect(explains(root, symptom)).toBe(true);
  expect(explains({ ...root, forms: ['/api', '/api/v1'] }, symptom)).toBe(false);
});

it('a header without a token that is accepted explains that any other is, but for a request without the header', () => {
  const accepted = (fingerprint: string, subject: string): MergedFinding =>
    found(fingerprint, `authentication/accepted: POST /jobs: ${subject}`);
  const root = accepted('a', 'no-value');
  expect(explains(root, accepted('b', 'lengthened-token'))).toBe(true);
  expect(explains(root, accepted('c', 'no-token'))).toBe(false);
  expect(explains(accepted('d', 'basic-scheme'), root)).toBe(false);
});
