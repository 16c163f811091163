import { describe, expect, it } from 'vitest';
import { answered, casesOf, finding, found, withSteps } from '../testing/merged-finding.ts';
import { groupFindings } from './groups.ts';
import type { MergedFinding } from './types.ts';

/** Groups as LEAD/SAME/RELATED. */
const groupsOf = (...findings: readonly MergedFinding[]): readonly string[] =>
  groupFindings(findings).map(({ lead, same, related }) => [lead, same.join(''), related.join('')].join('/'));

/** A cause and what it explains. */
const RELATED = casesOf(`
an id that is ignored
  own-id/other: GET /aiagent/{id}
  unknown-id/status: GET /aiagent/{id}: id 200
an unknown id that is served
  unknown-id/status: POST /aijob/{id}/preview
  deleted-is-gone/served: POST /aijob/{id}/preview
a change that fails alone
  deleted-is-gone/readable: DELETE /aiagent/{id}
  overlap/not-linearizable: DELETE /aiagent/{id}: update+delete
one of the overlapping calls
  processing-order/changed: POST /aiagent/{id}/activate
  overlap/lost-update: POST /aiagent/order: order+activate
a deletion that one form does not show
  deleted-is-gone/readable: DELETE /aiagent/{id}
  form-shared-state/deleted-still-readable: GET /aiagent/{id}
a change that is not made, without an entry
  deleted-is-gone/readable: DELETE /aiagent/{id}
  audit-log/no-entry: GET /auditLog: DELETE /aiagent/{id}
an item without its name, which no search finds
  created-reads-back/member: POST /aiagent: name
  filters/not-found: GET /aiagent: searchName
a request that is refused whatever it is
  valid-request-served/refused: PATCH /aijob/{id}: 400
  request-media-types/refused: PATCH /aijob/{id}: application/json 400
a deletion that removes nothing
  deleted-is-gone/readable: DELETE /aijob/{id}
  deleted-is-gone/served: GET /aijob/{id}/runs/{runId}/results
an item that one form does not show
  form-shared-state/created-not-readable: GET /aijob/{id}
  form-equivalence/status: GET /aijob/{id}: 404-success
a list that shows what was stored before
  updated-reads-back/listed-member: GET /aiagent: name
  updated-reads-back/listed-member: PUT /aiagent/{id}
a part of a member that is lost
  created-reads-back/member: POST /aiagent: rules
  created-reads-back/listed-member: GET /aiagent: /rules/0/name /rules/0/type
a body that only one form answers otherwise
  body-fits-schema/mismatch: GET /aiagent
  form-equivalence/shape: GET /aiagent: shape
values that are lost whatever they are
  updated-reads-back/response: PUT /aiagent/{id}
  updated-reads-back/member: PUT /aiagent/{id}: /metadata several-members
a read that shows what was stored before
  updated-reads-back/member: GET /aiagent/{id}
  json-patch/result: PATCH /aiagent/{id}: replace
a new item that no page shows
  paging-partition/item-twice: GET /aiagent
  overlap/lost-update: POST /aiagent: create
a page in place of JSON
  content-type-offered/media-type: GET /aiagent
  json-well-formed/not-json: GET /aiagent
a filter by a state that was not set
  activation/not-active: POST /policies/{id}/activate
  filters/not-found: GET /policies: filterActive+searchName
a redirect in place of an item
  status-documented/status: GET /aiagent/{id}: 302
  created-reads-back/not-readable: POST /aiagent
runs of other jobs
  job-ownership/other-job: GET /aijob/{id}/runs
  filters/ignored: GET /aijob/{id}/runs
`);

describe('findings are grouped by root cause', () => {
  it.each(RELATED)('shows as related: %s', (_title, cause = '', effect = '') => {
    const root = found('a', cause);
    const symptom = found('b', effect);
    const other = finding({ ...symptom, fingerprint: 'c', operation: 'PUT /other/{id}', subject: 'another' });
    for (const findings of [
      [root, symptom, other],
      [other, symptom, root],
    ])
      expect(groupFindings(findings)).toContainEqual({ lead: 'a', same: [], related: ['b'] });
  });

  it('shows a response that cannot be read as the cause of what was read from it only', () => {
    const root = found('a', 'json-well-formed/malformed: GET /aiagent');
    const symptom = found('b', 'created-reads-back/not-readable: GET /aiagent/{id}');
    const readBy = (operation: string) => withSteps(symptom, () => ({ operation }));
    expect(groupsOf(root, readBy('GET /aiagent'))).toEqual(['a//b']);
    expect(groupFindings([root, readBy('GET /aiagent/{id}')])).toHaveLength(2);
  });

  it('shows the status that one form adds under the undocumented one, but no refusal', () => {
    const root = found('a', 'status-documented/status: GET /aijob: 202');
    const forms = (fingerprint: string, subject: string) =>
      found(fingerprint, `form-equivalence/status: GET /aijob: ${subject}`);
    const findings = [root, forms('b', 'success-success several-members'), forms('c', 'success-400')];
    expect(groupsOf(...findings)).toEqual(['a//b', 'c//']);
  });

  it('shows a page in place of a refusal under the operation that serves anybody, but not that of a served request', () => {
    const root = found('a', 'authentication/accepted: GET /aijob');
    const page = (fingerprint: string, identity: string) =>
      withSteps(found(fingerprint, 'json-well-formed/not-json: GET /aijob'), () => ({ identity }));
    expect(groupsOf(root, page('b', 'none'))).toEqual(['a//b']);
    expect(groupsOf(root, page('b', 'full'))).toEqual(['a//', 'b//']);
  });

  it('shows requests of any operation that were answered with 401 although the token is valid as one cause', () => {
    const refused = (fingerprint: string, text: string, identity: string) =>
      withSteps(found(fingerprint, `${text}: 401`, answered(401)), () => ({ identity }));
    const findings = [
      refused('a', 'valid-request-served/refused: GET /aijob', 'full'),
      refused('b', 'overlap/read: GET /aiagent/{id}', 'full'),
      refused('c', 'authorisation/status: GET /aiagent', 'limited'),
    ];
    expect(groupsOf(...findings)).toEqual(['a//b', 'c//']);
  });

  it('joins findings about the same parameter, and none about others', () => {
    const of = (fingerprint: string, subject: string) =>
      found(fingerprint, `filters/wrongly-found: GET /aijob: ${subject}`);
    const findings = [of('a', '?filterActive ?take'), of('b', 'filterActive'), of('c', 'filterCreator')];
    expect(groupsOf(...findings)).toEqual(['b//a', 'c//']);
  });

  it('shows findings that explain each other under the first of them', () => {
    const of = (fingerprint: string, subject: string) =>
      found(fingerprint, `overlap/lost-update: GET /aijob: ${subject}`);
    const findings = [of('a', 'update+update'), of('b', 'update+delete'), of('c', 'update|delete')];
    expect(groupsOf(...findings)).toEqual(['a//bc']);
  });

  it('shows what did not recur alone under overlapping calls of the same API, with the same defect elsewhere', () => {
    const findings = [
      found('a', 'updated-reads-back/member: PUT /aiagent/{id}: name', { recurred: false }),
      found('b', 'created-reads-back/member: POST /aiagent: name'),
      found('c', 'overlap/not-linearizable: PUT /aiagent/{id}: update+activate'),
      found('d', 'malformed-json/served: PUT /aiagent/{id}', { recurred: true }),
      found('e', 'malformed-json/served: PUT /aijob/{id}', { recurred: false }),
    ];
    expect(groupsOf(...findings)).toEqual(['c//ab', 'd/e/']);
  });

  it('shows findings on items that share an id under the creations that returned it', () => {
    const findings = [
      found('a', 'activation/not-inactive: POST /accesscontrolpolicies/{id}/deactivate', { sharedId: true }),
      found('b', 'filters/not-found: GET /accesscontrolpolicies: searchName', { sharedId: true, recurred: true }),
      found('c', 'overlap/same-id: POST /accesscontrolpolicies'),
      found('d', 'updated-reads-back/member: PUT /accesscontrolpolicies/{id}: name'),
    ];
    expect(groupsOf(...findings)).toEqual(['b//', 'c//a', 'd//']);
  });

  it('joins server errors of one resource, and of many, but not of a few', () => {
    const failing = (...paths: readonly string[]): readonly string[] =>
      groupsOf(...paths.map((path, at) => plain(found(`${at}`, `no-server-error/status: GET ${path}: 500`))));
    const plain = (given: MergedFinding): MergedFinding =>
      withSteps(given, ({ request }) => ({ request: { ...request, url: 'http://localhost/api' } }));
    expect(failing('/a', '/a/{id}', '/b')).toEqual(['0/1/', '2//']);
    expect(failing('/a', '/b', '/c', '/d')).toEqual(['0/123/']);
  });

  it('joins errors with which a gateway answers at times, whatever the status', () => {
    const at = (fingerprint: string, status: number, text: string): MergedFinding =>
      found(fingerprint, text, { ...answered(status), curlShows: 'sometimes' });
    const failing = (path: string, subject: string) => `no-server-error/status: GET ${path}: ${subject}`;
    const findings = [
      at('a', 502, failing('/a', '502')),
      at('b', 504, failing('/a', '504 intermittent')),
      at('c', 502, failing('/b', '502 intermittent')),
      at('d', 500, failing('/b', '500 intermittent')),
      found('e', failing('/c', '502')),
      at('f', 503, 'created-reads-back/not-readable: POST /d: 503'),
    ];
    expect(groupsOf(...findings)).toEqual(['a/bc/f', 'd//', 'e//']);
  });

  it('joins the refusals of many kinds of valid requests with the same status', () => {
    const refused = (kind: string, status: number, operation = 'POST /clue') =>
      found(kind, `clue-accepted/refused: ${operation}: ${kind}`, answered(status));
    const kinds = 'abcdef'.split('');
    expect(groupsOf(...kinds.map((each) => refused(each, 400)), refused('g', 413))).toEqual(['a//bcdef', 'g//']);
    expect(groupFindings(kinds.slice(1).map((each) => refused(each, 400)))).toHaveLength(5);
    const gone = kinds.map((kind) => refused(kind, 404, `GET /a/{id}/${kind}`));
    expect(groupFindings(gone)).toHaveLength(1);
  });

  it('joins many kinds of patches, refused patches that stay in part, and what a request without a token removed', () => {
    const patch = (subject: string, code: string, status: number): MergedFinding =>
      withSteps(found(subject, `json-patch/${code}: PATCH /a/{id}: ${subject}`, answered(status)), ({ request }) => ({
        request: { ...request, method: 'PATCH' },
      }));
    expect(groupFindings('abcdef'.split('').map((each) => patch(each, 'result', 200)))).toHaveLength(1);
    const partly = [patch('a', 'not-atomic', 400), patch('b', 'not-atomic', 409), patch('c', 'not-atomic', 200)];
    expect(groupFindings(partly)).toMatchObject([{ lead: 'a', related: ['b'] }, { lead: 'c' }]);
    const removed = found('a', 'authentication/accepted: DELETE /a/{id}: no-token');
    const gone = found('b', 'authentication/status: DELETE /a/{id}: invalid-token', answered(404));
    expect(groupsOf(removed, gone)).toEqual(['a//b']);
  });

  it('does not show a wrong order under wrong pages', () => {
    const pages = found('a', 'paging-partition/item-twice: GET /aijob');
    const lost = found('b', 'filters/not-found: GET /aijob');
    const order = found('c', 'ordering/order-by: GET /aijob');
    expect(groupsOf(pages, lost, order)).toEqual(['a//b', 'c//']);
  });

  it('a status that also requests with the full token get explains that of requests without one', () => {
    const withoutToken = found('a', 'authentication/status: GET /a', answered(404));
    const refused = (status: number) => found('b', `valid-request-served/refused: GET /a: ${status}`, answered(status));
    expect(groupsOf(withoutToken, refused(404))).toEqual(['b//a']);
    expect(groupFindings([withoutToken, refused(403)])).toHaveLength(2);
  });
});
