import { expect, it } from 'vitest';
import { answered, found } from '../testing/merged-finding.ts';
import { groupFindings } from './groups.ts';
import type { MergedFinding } from './types.ts';

const failing = (fingerprint: string, subject: string, change: Partial<MergedFinding> = {}): MergedFinding =>
  found(fingerprint, `no-server-error/status: POST /aijob: ${subject}`, change);

it('a finding whose line shows it leads those of the same kind whose body does not fit in a line', () => {
  const long = failing('a', '500', { curlShows: 'body', tests: ['contract/bodies > POST /aijob'] });
  const short = failing('b', '500 /description', { tests: ['properties/valid-bodies > POST /aijob'] });
  expect(groupFindings([long, short])).toEqual([{ lead: 'b', same: [], related: ['a'] }]);
});

it('a finding that names the member of a request explains one of generated requests that names none', () => {
  const unspecific = failing('a', '500', { tests: ['properties/equivalence > POST /aijob'] });
  const named = failing('b', '500 /description', { tests: ['properties/valid-bodies > POST /aijob'] });
  const special = failing('c', '500', { tests: ['state/published > POST /aijob'], operation: 'POST /aijob' });
  expect(groupFindings([unspecific, named])).toEqual([{ lead: 'b', same: [], related: ['a'] }]);
  expect(groupFindings([special, named])).toHaveLength(2);
});

it('a finding of one member leads those of more members than they can name', () => {
  const lost = (fingerprint: string, subject: string): MergedFinding =>
    found(fingerprint, `created-reads-back/member: POST /aijob: ${subject}`);
  const [many, one] = [lost('a', '/dataSources several-members'), lost('b', 'dataSources')];
  expect(groupFindings([many, one])).toEqual([{ lead: 'b', same: [], related: ['a'] }]);
});

it('many members that are not stored are one cause', () => {
  const lost = (name: string): MergedFinding => found(name, `updated-reads-back/member: PUT /aijob/{id}: ${name}`);
  expect(groupFindings(['name', 'prompt', 'dataSources', 'metadata'].map(lost))).toHaveLength(1);
  expect(groupFindings(['name', 'dataSources', 'metadata'].map(lost))).toHaveLength(3);
});

it('that an item was not found is a symptom of a deletion of others before it is one of overlapping calls', () => {
  const overlap = found('a', 'overlap/list-incomplete: GET /aijob');
  const deletion = found('b', 'deleted-is-gone/other-item: DELETE /aijob/{id}');
  const lost = (fingerprint: string, status: number, operation: string): MergedFinding => {
    const given = { ...answered(status), recurred: false, curlShows: 'sometimes' } as const;
    return found(fingerprint, `valid-request-served/refused: ${operation}: ${status}`, given);
  };
  const [gone, refused] = [lost('c', 404, 'GET /aijob/{id}/runs'), lost('d', 409, 'PUT /aijob/{id}')];
  expect(groupFindings([overlap, deletion, gone, refused])).toEqual([
    { lead: 'a', same: [], related: ['d'] },
    { lead: 'b', same: [], related: ['c'] },
  ]);
});

it('that an item was not found is a symptom of an update that changed others, unless it happens each time', () => {
  const update = found('a', 'updated-reads-back/other-item: PUT /aijob/{id}');
  const lost = found('b', 'valid-request-served/refused: PATCH /aijob/{id}: 404', answered(404));
  for (const each of [lost, { ...lost, recurred: false }])
    expect(groupFindings([update, each])).toEqual([{ lead: 'a', same: [], related: ['b'] }]);
  expect(groupFindings([update, { ...lost, recurred: true }])).toHaveLength(2);
});
