import { expect, it } from 'vitest';
import { answered, finding, parsed } from '../testing/merged-finding.ts';
import { explains } from './root-causes.ts';
import type { MergedFinding } from './types.ts';

const LEAK = 'job-ownership/other-job: GET /aijob/{id}/runs';

it.each([
  ['a run of another job', LEAK, 'valid-request-served/refused: GET /aijob/{jobId}/runs/{runId}/chats: 404', 404, true],
  [
    'a run that is refused otherwise',
    LEAK,
    'valid-request-served/refused: GET /aijob/{jobId}/runs/{runId}/chats',
    400,
    false,
  ],
  ['a job that is not found', LEAK, 'valid-request-served/refused: GET /aijob/{id}: 404', 404, false],
  ['a queued run that seems to be several', LEAK, 'job-runs/queued-twice: POST /aijob/{id}/execution-queue', 200, true],
  [
    'an operation that needs no token',
    'valid-request-served/without-token: GET /status',
    'valid-request-served/refused: GET /status: 401',
    401,
    true,
  ],
  [
    'a read that finds no item, and a form that does not show it',
    'valid-request-served/refused: GET /aijob/{id}: 404',
    'form-shared-state/created-not-readable: GET /aijob/{id}',
    404,
    true,
  ],
  [
    'a form that does not show an item, and a read that finds none through any form',
    'form-shared-state/created-not-readable: GET /aijob/{id}',
    'valid-request-served/refused: GET /aijob/{id}: 404',
    404,
    false,
  ],
  [
    'a member that is stored otherwise, and an invalid value that is accepted',
    'created-reads-back/member: POST /accesscontrolpolicies: /description',
    'published-behaviour/accepted: POST /accesscontrolpolicies: unregistered-action',
    200,
    false,
  ],
  [
    'a second deletion that is served, and a first one that is',
    'deleted-is-gone/served: DELETE /aiagent/{id}',
    'published-behaviour/accepted: DELETE /aiagent/{id}: agent-in-use',
    200,
    false,
  ],
  [
    'another kind of change that the log leaves out',
    'audit-log/no-entry: GET /auditLog: PUT /aiagent/{id}',
    'audit-log/no-entry: GET /auditLog: DELETE /aijob/{id}',
    200,
    true,
  ],
  [
    'a token with more text, and an expired one',
    'authentication/accepted: GET /aijob: lengthened-token',
    'authentication/accepted: GET /aijob: expired-token',
    200,
    false,
  ],
  [
    'a request without a token, and an expired one',
    'authentication/accepted: GET /aijob: no-token',
    'authentication/accepted: GET /aijob: expired-token',
    200,
    true,
  ],
  [
    'a deletion that removes another item, and a filter',
    'deleted-is-gone/other-item: DELETE /aiagent/{id}',
    'filters/wrongly-found: GET /aiagent: metadataFilter',
    200,
    false,
  ],
  [
    'a job whose runs are still served, and a filter of results',
    'deleted-is-gone/served: GET /aijob/{id}/runs',
    'filters/wrongly-found: GET /aijob/{id}/runs/{runId}/results: state',
    200,
    false,
  ],
  [
    'an activation that changes the description, and a filter',
    'activation/changed-content: POST /policies/{id}/activate: description',
    'filters/wrongly-found: GET /policies: filterActive',
    200,
    false,
  ],
  [
    'a member that is lost, and keys that a map keeps',
    'updated-reads-back/member: PUT /aiagent/{id}: /description several-members',
    'updated-reads-back/kept-key: PUT /aiagent/{id}: metadata',
    200,
    false,
  ],
  [
    'a list and a map, stored wrongly in unusual items',
    'updated-reads-back/member: PUT /aijob/{id}: /dataSources several-members',
    'updated-reads-back/member: PUT /aijob/{id}: /metadata several-members',
    200,
    false,
  ],
  [
    'the same member, stored wrongly in other items',
    'updated-reads-back/member: PUT /aijob/{id}: /dataSources several-members',
    'updated-reads-back/member: PUT /aijob/{id}: dataSources',
    200,
    true,
  ],
  [
    'a patch that is applied although its test fails, and a lost update',
    'json-patch/not-atomic: PATCH /aijob/{id}: replace+test',
    'overlap/lost-update: PATCH /aijob/{id}: patch+patch',
    200,
    false,
  ],
  [
    'a response that shows the result of a wrong patch',
    'json-patch/result: PATCH /aijob/{id}: add',
    'json-patch/response: PATCH /aijob/{id}: add',
    200,
    true,
  ],
  [
    'a wrong result, which the response shows',
    'json-patch/response: PATCH /aijob/{id}: add',
    'json-patch/result: PATCH /aijob/{id}: add',
    200,
    false,
  ],
  [
    'a member that is lost at once, and a change that is undone later',
    'created-reads-back/member: POST /policies: condition',
    'model-conformance/not-lasting: GET /policies: other-content',
    200,
    false,
  ],
  [
    'a state that is undone, and overlapping orders that are mixed',
    'model-conformance/not-lasting: GET /policies: listed-active',
    'overlap/order-mixed: POST /policies/setprocessingorder: set-order+set-order',
    200,
    false,
  ],
  [
    'media types that one operation refuses',
    'request-media-types/refused: POST /clue: text/json 415',
    'request-media-types/refused: POST /clue: application/vnd.assay+json 415',
    415,
    true,
  ],
  [
    'items that are lost, and pages in another order',
    'paging-partition/items-lost: GET /policies',
    'paging-partition/order: GET /policies: ?orderBy',
    200,
    false,
  ],
])('one cause or two: %s', (_title, cause, effect, status, isExplained) => {
  const common = { requirement: 'runs.list', forms: ['/api', '/api/v1'] };
  const [root, symptom] = [cause, effect].map((text) => finding({ ...common, ...answered(status), ...parsed(text) }));
  if (root === undefined || symptom === undefined) throw new Error('both findings exist');
  expect(explains({ ...root, fingerprint: 'a' }, { ...symptom, fingerprint: 'b' })).toBe(isExplained);
});

it('an item that a filter still finds after its deletion is explained by the deletion', () => {
  const root = finding({ fingerprint: 'a', ...parsed('deleted-is-gone/listed: GET /aijob') });
  const found = finding({ fingerprint: 'b', ...parsed('filters/wrongly-found: GET /aijob: metadataFilter') });
  const [step] = found.steps;
  if (step === undefined) throw new Error('the finding has a step');
  const deletion = { ...step, request: { ...step.request, method: 'DELETE' } };
  expect(explains(root, found)).toBe(false);
  expect(explains(root, { ...found, steps: [deletion, step] })).toBe(true);
});

it('a wrong order is explained by the form that shows another one', () => {
  const root = finding({
    fingerprint: 'a',
    ...parsed('form-equivalence/body: GET /policies/byprocessingorder: order'),
  });
  const set = finding({
    fingerprint: 'b',
    ...parsed('processing-order/not-as-set: POST /policies/setprocessingorder'),
  });
  const readBy = (operation: string) => ({ ...set, steps: set.steps.map((step) => ({ ...step, operation })) });
  expect(explains(root, readBy('GET /policies/byprocessingorder'))).toBe(true);
  expect(explains(root, readBy('GET /policies'))).toBe(false);
});

it('a list that is read with a search beside other calls lacks what that search omits anyway', () => {
  const root = finding({ fingerprint: 'a', ...parsed('filters/not-found: GET /policies: searchName') });
  const beside = finding({ fingerprint: 'b', ...parsed('overlap/list-incomplete: GET /policies') });
  const [step] = beside.steps;
  if (step === undefined) throw new Error('the finding has a step');
  const readAt = (url: string) => ({ ...beside, steps: [{ ...step, request: { ...step.request, url } }] });
  expect(explains(root, readAt('http://h/api/policies?searchName=a&page=0'))).toBe(true);
  expect(explains(root, readAt('http://h/api/policies?page=0'))).toBe(false);
});

it('an order that is not returned as it was set explains that it moves with other changes', () => {
  const root = finding({
    fingerprint: 'a',
    ...parsed('processing-order/not-as-set: POST /policies/setprocessingorder'),
  });
  const moved = finding({ fingerprint: 'b', ...parsed('processing-order/changed: POST /policies/{id}/activate') });
  const [step] = moved.steps;
  if (step === undefined) throw new Error('the finding has a step');
  const afterSetting = { ...moved, steps: [{ ...step, operation: root.operation }, step] };
  expect(explains(root, moved)).toBe(false);
  expect(explains(root, afterSetting)).toBe(true);
  expect(explains(afterSetting, root)).toBe(false);
});

it('an unknown id that is served explains that ids of special kinds are served, but not that they are answered otherwise', () => {
  const root = finding({ fingerprint: 'a', ...parsed('unknown-id/status: DELETE /policies/{id}: id 200') });
  const nil = finding({ fingerprint: 'b', ...parsed('unknown-id/status: DELETE /policies/{id}: nil 200') });
  const fails = finding({ fingerprint: 'c', ...parsed('unknown-id/status: DELETE /policies/{id}: nil 500') });
  expect(explains(root, nil)).toBe(true);
  expect(explains(nil, root)).toBe(false);
  expect(explains(root, fails)).toBe(false);
});

it('a media type that is refused explains valid requests with such a body that are refused in the same way', () => {
  const refused = { ...parsed('request-media-types/refused: PATCH /jobs/{id}: text/json 415') };
  const withType = (one: MergedFinding, type: string, status: number): MergedFinding => ({
    ...one,
    steps: one.steps.map((step) => ({
      ...step,
      request: { ...step.request, headers: { 'content-type': type } },
      response: { status, headers: [], body: '', truncated: false },
    })),
  });
  const root = withType(finding({ fingerprint: 'a', ...refused }), 'text/json', 415);
  const symptom = finding({
    fingerprint: 'b',
    ...parsed('valid-request-served/refused: PATCH /jobs/{id}: 415 replace'),
  });
  expect(explains(root, withType(symptom, 'text/json', 415))).toBe(true);
  expect(explains(root, withType(symptom, 'application/json', 415))).toBe(false);
  expect(explains(root, withType(symptom, 'text/json', 400))).toBe(false);
});

it('malformed JSON that one form accepts explains that the forms differ', () => {
  const root = finding({ fingerprint: 'a', ...parsed('malformed-json/served: PUT /jobs/{id}'), forms: ['/api'] });
  const symptom = finding({ fingerprint: 'b', ...parsed('form-equivalence/refusal: PUT /jobs/{id}: 400 not 200') });
  expect(explains(root, symptom)).toBe(true);
  expect(explains({ ...root, forms: ['/api', '/api/v1'] }, symptom)).toBe(false);
});

it('a header without a token that is accepted explains that any other is, but for a request without the header', () => {
  const accepted = (fingerprint: string, subject: string): MergedFinding =>
    finding({ fingerprint, ...parsed(`authentication/accepted: POST /jobs: ${subject}`) });
  const root = accepted('a', 'no-value');
  expect(explains(root, accepted('b', 'lengthened-token'))).toBe(true);
  expect(explains(root, accepted('c', 'no-token'))).toBe(false);
  expect(explains(accepted('d', 'basic-scheme'), root)).toBe(false);
});
