import { expect, it } from 'vitest';
import { answered, casesOf, found, withSteps } from '../testing/merged-finding.ts';
import { groupFindings } from './groups.ts';
import type { MergedFinding } from './types.ts';

const of = (fingerprint: string, text: string, status: number, test = 'state/a'): MergedFinding =>
  found(fingerprint, text, { ...answered(status), tests: [`${test} > b`] });

const withBody = (each: MergedFinding, body: string): MergedFinding =>
  withSteps(each, ({ request }) => ({ request: { ...request, body } }));

/** The fingerprints of each group, the lead first. */
const groupsOf = (findings: readonly MergedFinding[]): readonly string[] =>
  groupFindings(findings).map(({ lead, same, related }) => [lead, ...same, ...related].join(''));

const RELATED = casesOf(`
a page of another size in one form
  paging-defaults/size: GET /aijob
  form-equivalence/body: GET /aijob: /pageSize
a patch that is served
  json-patch/served: PATCH /aijob/{id}: add
  json-patch/served: PATCH /aijob/{id}: replace+add
a refused request that changes data, beside other calls
  refused-changes-nothing/changed-data: PUT /aiagent/{id}
  overlap/not-linearizable: PUT /aiagent/{id}: update+delete
a sequence of calls that fails, beside other calls
  model-conformance/state: PUT /policies/{id}: listed-active
  overlap/not-linearizable: PUT /policies/{id}: stress
a created item that is not readable
  created-reads-back/not-readable: POST /aiagent: 404
  created-reads-back/not-readable: GET /aiagent/{id}
a stale read
  json-patch/result: GET /aijob/{id}: add
  json-patch/result: PATCH /aijob/{id}: remove
a token that is refused with another status
  authentication/status: DELETE /aiagent/{id}: expired-token 403
  model-conformance/status: DELETE /aiagent/{id}: 403
a created item that is gone later
  created-reads-back/not-readable: POST /policies: 404
  paging-partition/items-lost: GET /policies
a creation that gets the response to another one
  overlap/other-response: POST /aijob
  created-reads-back/not-readable: POST /aijob: 200
a state that is undone later
  model-conformance/not-lasting: GET /policies: listed-active
  filters/wrongly-found: GET /policies: filterActive
a list that gets the response to another one
  overlap/other-response: GET /policies
  filters/wrongly-found: GET /policies: filterActive
an update that is undone later, followed by an activation
  updated-reads-back/member: PUT /policies/{id}: description
  activation/changed-content: POST /policies/{id}/activate: description
`);

it.each(RELATED)('shows as related: %s', (_title, root = '', symptom = '') => {
  const expired = withSteps(of('b', symptom, 403), () => ({ identity: 'expired' }));
  const findings = [of('a', root, root.endsWith('404') ? 404 : 403), expired];
  expect(groupsOf(findings)).toEqual(['ab']);
  expect(groupsOf(findings.toReversed())).toEqual(['ab']);
});

it('shows findings of generated requests under those of the tests that name what is wrong', () => {
  const findings = [
    of('a', 'no-server-error/status: POST /raw: 500 long-text', 500, 'contract/bodies'),
    of('b', 'no-server-error/status: POST /raw: 500 /*/*', 500, 'properties/valid-bodies'),
    of('c', 'no-server-error/status: POST /raw: 500 /name', 500, 'properties/valid-bodies'),
    of('d', 'clue-accepted/refused: POST /clue: direct-properties', 400),
    of('e', 'valid-request-served/refused: POST /clue: 400 /data/*', 400, 'properties/valid-bodies'),
    of('f', 'json-patch/result: PATCH /aijob/{id}: remove+add', 200),
    of('g', 'json-patch/result: PATCH /aijob/{id}: add remove', 200, 'properties/patches'),
    of('h', 'json-patch/result: PATCH /aijob/{id}: copy', 200, 'properties/patches'),
  ];
  expect(groupsOf(findings)).toEqual(['ab', 'c', 'de', 'fg', 'h']);
});

it('joins requests for unknown ids with the same refusal, and the form that differs, but not those that are served', () => {
  const unknown = (status: number): readonly MergedFinding[] => [
    of('a', `unknown-id/status: GET /aijob/{id}/runs/{runId}: id ${status}`, status),
    of('b', `unknown-id/status: GET /aijob/{id}/runs/{runId}: runId ${status}`, status),
    {
      ...of('c', 'form-equivalence/refusal: GET /aijob/{id}/runs/{runId}', 404),
      subject: 'an unknown id: 404 not 204',
    },
  ];
  expect(groupsOf(unknown(204))).toEqual(['abc']);
  expect(groupsOf(unknown(200))).toEqual(['a', 'b', 'c']);
});

it('keeps server errors apart that different kinds of unusual requests provoke, unless plain requests have them too', () => {
  const failing = (fingerprint: string, operation: string, body: string, suite = 'contract/bodies'): MergedFinding =>
    withBody(of(fingerprint, `no-server-error/status: ${operation}: 500`, 500, suite), body);
  const unusual = [
    failing('a', 'POST /policies', 'null'),
    failing('b', 'PUT /policies/{id}', 'null'),
    failing('c', 'POST /policies/order', ''),
    of('d', 'no-server-error/status: GET /policies: 500', 500, 'contract/parameters'),
  ];
  expect(groupsOf(unusual)).toEqual(['ab', 'c', 'd']);
  expect(groupsOf([...unusual, failing('e', 'DELETE /policies/{id}', '', 'state/lifecycle')])).toEqual(['abcde']);
});

it('joins the two lists that show a wrong state, and not an overlap of another resource', () => {
  const findings = [
    of('a', 'model-conformance/state: PUT /policies/{id}: listed-active', 200),
    of('b', 'model-conformance/state: PUT /policies/{id}: not-listed-inactive', 200),
    of('c', 'model-conformance/state: PUT /policies/{id}: earlier-content', 200),
    of('d', 'overlap/not-linearizable: PUT /aiagent/{id}: update+delete', 200),
    of('e', 'updated-reads-back/member: PUT /policies/{id}: description', 200),
    of('f', 'refused-changes-nothing/changed-data: PUT /aiagent/{id}', 404),
  ];
  // Neither is the state a value that was sent, nor were the overlapping calls refused.
  expect(groupsOf(findings)).toEqual(['ab', 'd', 'ec', 'f']);
});

it('shows what a refused request seems to change under the update that is undone later', () => {
  const refused = of('b', 'refused-changes-nothing/changed-data: PUT /aiagent/{id}: /metadata', 400);
  const lost = of('a', 'updated-reads-back/member: PUT /aiagent/{id}: metadata', 200);
  expect(groupsOf([refused, { ...lost, pauseSeconds: 2 }])).toEqual(['ab']);
  expect(groupsOf([refused, lost])).toEqual(['b', 'a']);
});

it('shows a filter that is wrong in generated requests under the test of the filter', () => {
  const [root, symptom] = [
    of('a', 'filters/wrongly-found: GET /policies: filterActive+searchName', 200),
    of('b', 'filters/wrongly-found: GET /policies: ?filterActive ?take', 200, 'properties/lists'),
  ];
  expect(groupsOf([symptom, root])).toEqual(['ab']);
});

it('shows what is refused for its spelling under one finding, whatever the operation', () => {
  const findings = [
    of('b', 'valid-request-served/refused: POST /clue: 415 upper-case-type /clue', 415, 'properties/equivalence'),
    of('a', 'equal-json/status: POST /aijob: success-415 upper-case-type', 415, 'properties/equivalence'),
  ];
  expect(groupsOf(findings)).toEqual(['ab']);
});

it('shows server errors of one value under the request that has nothing else, whatever the operation', () => {
  const ofName = (id: string, subject: string, name: string, suite = 'properties/valid-bodies'): MergedFinding =>
    withBody(of(id, subject, 500, suite), `{"name":${JSON.stringify(name)},"prompt":"..`);
  const root = ofName('a', 'no-server-error/status: POST /aijob/{id}/dry-run: 500 /name', ' ');
  const [many, any] = ['POST /aijob: 500 several-members', 'POST /aijob/{id}/preview: 500'];
  const findings = [
    ofName('b', `no-server-error/status: ${many}`, ' '),
    ofName('c', `no-server-error/status: ${any}`, ' '),
    ofName('d', 'no-server-error/status: PUT /aijob/{id}: 500', '', 'state/lifecycle'),
  ];
  expect(groupsOf([...findings, root])).toEqual(['abcd']);
  expect(groupsOf([ofName('b', `no-server-error/status: ${many}`, 'plain'), root])).toEqual(['b', 'a']);
});

it('shows server errors of half a surrogate pair under the request that has nothing else', () => {
  const half = of('b', 'no-server-error/status: PATCH /aijob/{id}: 500 add', 500, 'properties/patches');
  const root = of(
    'a',
    'no-server-error/status: POST /aiagent: 500 escaped-lone-surrogate',
    500,
    'properties/equivalence',
  );
  expect(groupsOf([withBody(half, String.raw`[{"value":"\ud800"}]`), root])).toEqual(['ab']);
  expect(groupsOf([withBody(half, String.raw`[{"value":"\ud83d\ude00"}]`), root])).toEqual(['b', 'a']);
});
