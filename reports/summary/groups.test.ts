import { describe, expect, it } from 'vitest';
import { defined } from '../../spec/defined.ts';
import type { FindingCode } from '../../spec/index.ts';
import { answered, finding, parsed } from '../testing/merged-finding.ts';
import { groupFindings } from './groups.ts';
import type { MergedFinding } from './types.ts';

describe('findings are grouped by root cause', () => {
  it.each([
    ['an id that is ignored', 'own-id/other: GET /aiagent/{id}', 'unknown-id/status: GET /aiagent/{id}: id 200'],
    [
      'an unknown id that is served',
      'unknown-id/status: POST /aijob/{id}/preview',
      'deleted-is-gone/served: POST /aijob/{id}/preview',
    ],
    [
      'a change that fails alone',
      'deleted-is-gone/readable: DELETE /aiagent/{id}',
      'overlap/not-linearizable: DELETE /aiagent/{id}: update+delete',
    ],
    [
      'one of the overlapping calls',
      'processing-order/changed: POST /aiagent/{id}/activate',
      'overlap/lost-update: POST /aiagent/order: order+activate',
    ],
    [
      'a deletion that one form does not show',
      'deleted-is-gone/readable: DELETE /aiagent/{id}',
      'form-shared-state/deleted-still-readable: GET /aiagent/{id}',
    ],
    [
      'a change that is not made, without an entry',
      'deleted-is-gone/readable: DELETE /aiagent/{id}',
      'audit-log/no-entry: GET /auditLog: DELETE /aiagent/{id}',
    ],
    [
      'an item without its name, which no search finds',
      'created-reads-back/member: POST /aiagent: name',
      'filters/not-found: GET /aiagent: searchName',
    ],
    [
      'a request that is refused whatever it is',
      'valid-request-served/refused: PATCH /aijob/{id}: 400',
      'request-media-types/refused: PATCH /aijob/{id}: application/json 400',
    ],
    [
      'a deletion that removes nothing',
      'deleted-is-gone/readable: DELETE /aijob/{id}',
      'deleted-is-gone/served: GET /aijob/{id}/runs/{runId}/results',
    ],
    [
      'an item that one form does not show',
      'form-shared-state/created-not-readable: GET /aijob/{id}',
      'form-equivalence/status: GET /aijob/{id}: 404-success',
    ],
    [
      'a list that shows what was stored before',
      'updated-reads-back/listed-member: GET /aiagent: name',
      'updated-reads-back/listed-member: PUT /aiagent/{id}',
    ],
    [
      'a part of a member that is lost',
      'created-reads-back/member: POST /aiagent: rules',
      'created-reads-back/listed-member: GET /aiagent: /rules/0/name /rules/0/type',
    ],
    [
      'a body that only one form answers otherwise',
      'body-fits-schema/mismatch: GET /aiagent',
      'form-equivalence/shape: GET /aiagent: shape',
    ],
    [
      'values that are lost whatever they are',
      'updated-reads-back/response: PUT /aiagent/{id}',
      'updated-reads-back/member: PUT /aiagent/{id}: /metadata several-members',
    ],
    [
      'a read that shows what was stored before',
      'updated-reads-back/member: GET /aiagent/{id}',
      'json-patch/result: PATCH /aiagent/{id}: replace',
    ],
    [
      'a new item that no page shows',
      'paging-partition/item-twice: GET /aiagent',
      'overlap/lost-update: POST /aiagent: create',
    ],
    [
      'a page in place of JSON',
      'content-type-offered/media-type: GET /aiagent',
      'json-well-formed/not-json: GET /aiagent',
    ],
    [
      'a filter by a state that was not set',
      'activation/not-active: POST /policies/{id}/activate',
      'filters/not-found: GET /policies: filterActive+searchName',
    ],
    [
      'a redirect in place of an item',
      'status-documented/status: GET /aiagent/{id}: 302',
      'created-reads-back/not-readable: POST /aiagent',
    ],
    ['runs of other jobs', 'job-ownership/other-job: GET /aijob/{id}/runs', 'filters/ignored: GET /aijob/{id}/runs'],
  ])('shows as related: %s', (_title, cause, effect) => {
    const root = finding({ fingerprint: 'a', ...parsed(cause) });
    const symptom = finding({ fingerprint: 'b', ...parsed(effect) });
    const other = finding({ ...symptom, fingerprint: 'c', operation: 'PUT /other/{id}', subject: 'another' });
    for (const findings of [
      [root, symptom, other],
      [other, symptom, root],
    ])
      expect(groupFindings(findings)).toContainEqual({ lead: 'a', same: [], related: ['b'] });
  });

  it('shows a response that cannot be read as the cause of what was read from it only', () => {
    const root = finding({ fingerprint: 'a', ...parsed('json-well-formed/malformed: GET /aiagent') });
    const symptom = finding({ fingerprint: 'b', ...parsed('created-reads-back/not-readable: GET /aiagent/{id}') });
    const readBy = (operation: string) => ({
      ...symptom,
      steps: symptom.steps.map((step) => ({ ...step, operation })),
    });
    expect(groupFindings([root, readBy('GET /aiagent')])).toEqual([{ lead: 'a', same: [], related: ['b'] }]);
    expect(groupFindings([root, readBy('GET /aiagent/{id}')])).toHaveLength(2);
  });

  it('shows the status that one form adds under the undocumented one, but no refusal', () => {
    const one = { check: 'status-documented', code: 'status-documented/status', subject: '202' } as const;
    const root = finding({ fingerprint: 'a', ...one });
    const forms = (fingerprint: string, subject: string) =>
      finding({ fingerprint, check: 'form-equivalence', code: 'form-equivalence/status', subject });
    const findings = [root, forms('b', 'success-success several-members'), forms('c', 'success-400')];
    expect(groupFindings(findings)).toEqual([
      { lead: 'a', same: [], related: ['b'] },
      { lead: 'c', same: [], related: [] },
    ]);
  });

  it('shows a page in place of a refusal under the operation that serves anybody, but not that of a served request', () => {
    const root = finding({ fingerprint: 'a', check: 'authentication', code: 'authentication/accepted' });
    const page = (fingerprint: string, identity: string) => {
      const found = finding({ fingerprint, check: 'json-well-formed', code: 'json-well-formed/not-json' });
      return { ...found, steps: found.steps.map((step) => ({ ...step, identity })) };
    };
    expect(groupFindings([root, page('b', 'none')])).toEqual([{ lead: 'a', same: [], related: ['b'] }]);
    expect(groupFindings([root, page('b', 'full')]).map(({ lead }) => lead)).toEqual(['a', 'b']);
  });

  it('shows requests of any operation that were answered with 401 although the token is valid as one cause', () => {
    const refused = (fingerprint: string, code: FindingCode, operation: string, identity: string) => {
      const found = finding({ fingerprint, ...parsed(`${code}: ${operation}: 401`) });
      const steps = found.steps.map((step) => {
        const { response } = step;
        return { ...step, identity, ...(response === undefined ? {} : { response: { ...response, status: 401 } }) };
      });
      return { ...found, steps };
    };
    const findings = [
      refused('a', 'valid-request-served/refused', 'GET /aijob', 'full'),
      refused('b', 'overlap/read', 'GET /aiagent/{id}', 'full'),
      refused('c', 'authorisation/status', 'GET /aiagent', 'limited'),
    ];
    expect(groupFindings(findings)).toEqual([
      { lead: 'a', same: [], related: ['b'] },
      { lead: 'c', same: [], related: [] },
    ]);
  });

  it('joins findings about the same parameter, and none about others', () => {
    const of = (fingerprint: string, subject: string) =>
      finding({ fingerprint, check: 'filters', code: 'filters/wrongly-found', subject });
    const findings = [of('a', '?filterActive ?take'), of('b', 'filterActive'), of('c', 'filterCreator')];
    expect(groupFindings(findings)).toEqual([
      { lead: 'b', same: [], related: ['a'] },
      { lead: 'c', same: [], related: [] },
    ]);
  });

  it('shows findings that explain each other under the first of them', () => {
    const of = (fingerprint: string, subject: string) =>
      finding({ fingerprint, check: 'overlap', code: 'overlap/lost-update', subject });
    const findings = [of('a', 'update+update'), of('b', 'update+delete'), of('c', 'update|delete')];
    expect(groupFindings(findings)).toEqual([{ lead: 'a', same: [], related: ['b', 'c'] }]);
  });

  it('shows what did not recur alone under overlapping calls of the same API, with the same defect elsewhere', () => {
    const of = (fingerprint: string, text: string, recurred?: boolean) =>
      finding({ fingerprint, ...parsed(text), ...defined({ recurred }) });
    const findings = [
      of('a', 'updated-reads-back/member: PUT /aiagent/{id}: name', false),
      of('b', 'created-reads-back/member: POST /aiagent: name'),
      of('c', 'overlap/not-linearizable: PUT /aiagent/{id}: update+activate'),
      of('d', 'malformed-json/served: PUT /aiagent/{id}', true),
      of('e', 'malformed-json/served: PUT /aijob/{id}', false),
    ];
    expect(groupFindings(findings)).toEqual([
      { lead: 'c', same: [], related: ['a', 'b'] },
      { lead: 'd', same: ['e'], related: [] },
    ]);
  });

  it('shows findings on items that share an id under the creations that returned it', () => {
    const of = (fingerprint: string, text: string, given: Partial<MergedFinding> = {}) =>
      finding({ fingerprint, ...parsed(text), ...given });
    const findings = [
      of('a', 'activation/not-inactive: POST /accesscontrolpolicies/{id}/deactivate', { sharedId: true }),
      of('b', 'filters/not-found: GET /accesscontrolpolicies: searchName', { sharedId: true, recurred: true }),
      of('c', 'overlap/same-id: POST /accesscontrolpolicies'),
      of('d', 'updated-reads-back/member: PUT /accesscontrolpolicies/{id}: name'),
    ];
    expect(groupFindings(findings)).toEqual([
      { lead: 'b', same: [], related: [] },
      { lead: 'c', same: [], related: ['a'] },
      { lead: 'd', same: [], related: [] },
    ]);
  });

  it('joins server errors of one resource, and of many, but not of a few', () => {
    const groupsOf = (...paths: readonly string[]): readonly number[] =>
      groupFindings(
        paths.map((path, at) =>
          finding({ fingerprint: `${at}`, ...parsed(`no-server-error/status: GET ${path}: 500`) }),
        ),
      ).map(({ same }) => same.length);
    expect(groupsOf('/a', '/a/{id}', '/b')).toEqual([1, 0]);
    expect(groupsOf('/a', '/b', '/c', '/d')).toEqual([3]);
  });

  it('joins errors with which a gateway answers at times, whatever the status', () => {
    const at = (fingerprint: string, status: number, change: Partial<MergedFinding>): MergedFinding =>
      finding({ fingerprint, ...answered(status), curlShows: 'sometimes', ...change });
    const failing = (path: string, subject: string) => parsed(`no-server-error/status: GET ${path}: ${subject}`);
    const findings = [
      at('a', 502, failing('/a', '502')),
      at('b', 504, failing('/a', '504 intermittent')),
      at('c', 502, failing('/b', '502 intermittent')),
      at('d', 500, failing('/b', '500 intermittent')),
      finding({ fingerprint: 'e', ...failing('/c', '502') }),
      at('f', 503, parsed('created-reads-back/not-readable: POST /d: 503')),
    ];
    expect(groupFindings(findings)).toEqual([
      { lead: 'a', same: ['b', 'c'], related: ['f'] },
      { lead: 'd', same: [], related: [] },
      { lead: 'e', same: [], related: [] },
    ]);
  });

  it('joins the refusals of many kinds of valid requests with the same status', () => {
    const refused = (kind: string, status: number, operation = 'POST /clue') =>
      finding({ fingerprint: kind, ...answered(status), ...parsed(`clue-accepted/refused: ${operation}: ${kind}`) });
    const kinds = 'abcdef'.split('');
    expect(groupFindings([...kinds.map((each) => refused(each, 400)), refused('g', 413)])).toEqual([
      { lead: 'a', same: [], related: ['b', 'c', 'd', 'e', 'f'] },
      { lead: 'g', same: [], related: [] },
    ]);
    expect(groupFindings(kinds.slice(1).map((each) => refused(each, 400)))).toHaveLength(5);
    const gone = kinds.map((kind) => refused(kind, 404, `GET /a/{id}/${kind}`));
    expect(groupFindings(gone)).toHaveLength(1);
  });

  it('joins many kinds of patches, refused patches that stay in part, and what a request without a token removed', () => {
    const patch = (subject: string, code: string, status: number): MergedFinding => {
      const { steps } = answered(status);
      const patched = steps.map((step) => ({ ...step, request: { ...step.request, method: 'PATCH' } }));
      return finding({
        fingerprint: subject,
        ...parsed(`json-patch/${code}: PATCH /a/{id}: ${subject}`),
        steps: patched,
      });
    };
    expect(groupFindings('abcdef'.split('').map((each) => patch(each, 'result', 200)))).toHaveLength(1);
    const partly = [patch('a', 'not-atomic', 400), patch('b', 'not-atomic', 409), patch('c', 'not-atomic', 200)];
    expect(groupFindings(partly)).toMatchObject([{ lead: 'a', related: ['b'] }, { lead: 'c' }]);
    const removed = parsed('authentication/accepted: DELETE /a/{id}: no-token');
    const gone = parsed('authentication/status: DELETE /a/{id}: invalid-token');
    const both = [finding({ fingerprint: 'a', ...removed }), finding({ fingerprint: 'b', ...gone, ...answered(404) })];
    expect(groupFindings(both)).toEqual([{ lead: 'a', same: [], related: ['b'] }]);
  });

  it('does not show a wrong order under wrong pages', () => {
    const pages = finding({ fingerprint: 'a', check: 'paging-partition', code: 'paging-partition/item-twice' });
    const lost = finding({ fingerprint: 'b', check: 'filters', code: 'filters/not-found' });
    const order = finding({ fingerprint: 'c', check: 'ordering', code: 'ordering/order-by' });
    expect(groupFindings([pages, lost, order])).toEqual([
      { lead: 'a', same: [], related: ['b'] },
      { lead: 'c', same: [], related: [] },
    ]);
  });

  it('a status that also requests with the full token get explains that of requests without one', () => {
    const of = (fingerprint: string, text: string, status: number): MergedFinding => {
      const steps = finding({}).steps.map((step) => ({
        ...step,
        response: { status, headers: [], body: '', truncated: false },
      }));
      return finding({ fingerprint, ...parsed(text), steps });
    };
    const withoutToken = of('a', 'authentication/status: GET /a', 404);
    const refused = of('b', 'valid-request-served/refused: GET /a: 404', 404);
    expect(groupFindings([withoutToken, refused])).toEqual([{ lead: 'b', same: [], related: ['a'] }]);
    expect(groupFindings([withoutToken, of('b', 'valid-request-served/refused: GET /a: 403', 403)])).toHaveLength(2);
  });
});
