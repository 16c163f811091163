import { expect, test } from 'vitest';
import { defined } from '../../../spec/defined.ts';
import type { MergedFinding, Summary } from '../../summary/types.ts';
import { testFileOf } from './test-file.ts';

const SUMMARY = { version: '1', target: { baseUrl: 'http://target' }, findings: [] } as unknown as Summary;

const HEADERS = { accept: 'application/json' };

/** A finding with these requests, of which those with a step are shown, and a script with further members. */
function finding(code: string, operation: string, requests: readonly object[], script: object = {}): MergedFinding {
  return {
    code,
    check: code.split('/', 1)[0],
    operation,
    message: 'wrong',
    requirement: '',
    source: '',
    expected: '',
    received: '',
    steps: requests.filter((request) => 'step' in request).map((request) => ({ request })),
    script: { requests, statuses: [], mediaTypes: [], defaults: {}, ...script },
  } as unknown as MergedFinding;
}

/** The finding with an answer to each step. */
const answered = (given: MergedFinding, response: object): MergedFinding =>
  ({ ...given, steps: given.steps.map((step) => ({ ...step, response })) }) as unknown as MergedFinding;

/** The test of a finding about one read that was answered as JSON. */
function textOf(code: string, accept: string): string {
  const request = { method: 'GET', url: 'http://target/things', headers: { accept } };
  const response = { status: 200, headers: [['Content-Type', 'application/json; charset=utf-8']], body: '"a,b"' };
  const given = finding(code, 'GET /things', [{ ...request, step: 0, received: { status: 200, ids: [] } }], {
    rule: { keyword: 'type', value: 'array' },
    statuses: ['200'],
    mediaTypes: ['application/json', accept],
  });
  return testFileOf(answered(given, response), SUMMARY);
}

test('what was asked for in another media type has to be JSON, and to match its schema, only where it is answered as JSON', () => {
  for (const code of ['body-fits-schema/mismatch', 'json-well-formed/malformed']) {
    expect(textOf(code, 'text/csv')).toContain(".type === 'application/json') ");
    expect(textOf(code, 'application/json')).not.toContain('.type ===');
  }
});

test('waits as long as the run did before the read that shows an effect which is undone', () => {
  const received = { status: 200, ids: [] };
  const change = { method: 'DELETE', url: 'http://target/things/1', headers: HEADERS, received, step: 0 };
  const given = finding('deleted-is-gone/readable', 'DELETE /things', [change, { ...change, method: 'GET', step: 1 }]);
  expect(testFileOf({ ...given, pauseSeconds: 2 }, SUMMARY)).toMatch(/'DELETE'[^\n]+\n\s+await pause\(2000\);/u);
});

test('a change without a response before the finding may fail again', () => {
  const change = { method: 'POST', url: 'http://target/things/1/queue', headers: HEADERS, unanswered: true };
  const received = { status: 500, ids: [] };
  const read = { method: 'GET', url: 'http://target/things/1', headers: HEADERS, received, step: 0 };
  const text = testFileOf(finding('no-server-error/status', 'GET /things/{id}', [change, read]), SUMMARY);
  expect(text).toContain("await send('POST', '/things/1/queue', common).catch(() => undefined);");
});

test('what was sent to other items meanwhile is sent again where overlapping calls violate a requirement or findings were tried alone, unless this one recurred alone', () => {
  const to = { url: 'http://target/things/x', headers: HEADERS };
  const change = { ...to, method: 'PUT', body: '{', step: 0, received: { status: 200, ids: [] } };
  const alongside = [{ ...to, method: 'DELETE' }];
  const given = finding('malformed-json/served', 'PUT /things/{id}', [change], { alongside });
  const textIn = (code: string, recurred?: boolean): string => {
    const summary = { ...SUMMARY, findings: [{ code, recurred }] } as unknown as Summary;
    return testFileOf({ ...given, ...defined({ recurred }) }, summary);
  };
  expect(textIn('overlap/lost-update', false)).toMatch(/'DELETE', '\/things\/x', common\);\n\s+\};[^]+during\(others/u);
  expect(textIn('overlap/lost-update', true)).not.toContain('during(');
  expect(textIn('model-conformance/other-item', true), 'its own test changed others too').toContain('during(');
  expect(textIn('malformed-json/served', false)).toContain('during(');
  expect(textIn('malformed-json/served')).not.toContain('during(');
});

test('a change is sent at the same moment as one of another item with the same method, if the run had one', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const to = { url: `http://target/things/${id}`, headers: HEADERS };
  const creation = { method: 'POST', url: 'http://target/things', headers: HEADERS, body: '{}', creates: true };
  const made = { ...creation, captures: [{ id, place: 0 }], received: { status: 200, ids: [id] } };
  const change = { ...to, method: 'PUT', body: '{', step: 0, received: { status: 200, ids: [] } };
  const textFor = (method: string): string => {
    const alongside = [made, { ...to, method }];
    const given = finding('malformed-json/served', 'PUT /things/{id}', [made, change], { alongside });
    return testFileOf({ ...given, recurred: false }, { ...SUMMARY, findings: [{ ...given, recurred: false }] });
  };
  expect(textFor('PUT')).toContain('await meet(others, steps);');
  expect(textFor('PUT')).toMatch(/'node:async_hooks';[^]+ await atChange\.getStore\(\)\?\.\(method\);/u);
  expect(textFor('DELETE')).not.toContain('meet(');
  expect(textFor('DELETE')).not.toContain('atChange');
});

test('a list that is read during other calls is read after the creation of what it has to show', () => {
  const id = (digit: number): string => `0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f1${digit}`;
  const creation = (digit: number): Record<string, unknown> => ({
    method: 'POST',
    url: 'http://target/things',
    headers: HEADERS,
    body: '{}',
    creates: true,
    received: { status: 200, ids: [id(digit)] },
  });
  const deletion = { method: 'DELETE', url: `http://target/things/${id(2)}`, headers: HEADERS };
  const list = { method: 'GET', url: 'http://target/things', headers: HEADERS, received: { status: 200, ids: [] } };
  const requests = [
    { ...creation(1), step: 0 },
    { ...creation(2), overlaps: true, captures: [{ id: id(2), place: 0 }] },
    { ...deletion, step: 1 },
    { ...list, overlaps: true, step: 2 },
  ];
  const given = finding('overlap/list-incomplete', 'GET /things', requests);
  const text = testFileOf(answered(given, { status: 200, headers: [], body: '[]' }), SUMMARY);
  const [before = '', together = ''] = text.split('await Promise.all([').slice(-2);
  expect(before.match(/create\('\/things'/gu)).toHaveLength(2);
  expect(together).toMatch(/^\n[^\n]+send\('DELETE'[^\n]+\n[^\n]+send\('GET'/u);
});

test('names of a response are no code of the test', () => {
  const hostile = `a'+process.exit()+'(`;
  const request = { method: 'POST', url: 'http://target/things', headers: { [`x'y`]: '1' }, body: '{}' };
  const requests = [{ ...request, creates: true, idMember: hostile, step: 0, received: { status: 200, ids: [] } }];
  const response = { status: 200, headers: [], body: '{"total":1}', truncated: false };
  for (const code of ['no-server-error/status', 'published-behaviour/value']) {
    const given = answered(finding(code, 'POST /things', requests, { statuses: ['200'] }), response);
    const text = testFileOf({ ...given, instancePointer: `/${hostile}` }, SUMMARY);
    expect(text).toContain(`create('/things', common, '{}', ${JSON.stringify(hostile)})`);
    expect(text).toContain(`"x'y": '1'`);
  }
});

test('pages are read again until they show as many items as the list counts, or as many as they have room for', () => {
  const page = (number: number, ids: readonly string[]): object => ({
    method: 'GET',
    url: `http://target/things?page=${number}&take=2`,
    headers: HEADERS,
    received: { status: 200, ids, length: ids.length },
    step: number,
  });
  const defaults = { defaults: { page: 0, take: 20 } };
  const given = finding('paging-partition/items-lost', 'GET /things', [page(0, ['1', '2']), page(1, ['4'])], defaults);
  const text = testFileOf(answered(given, { status: 200, headers: [], body: '{"total":4,"data":[]}' }), SUMMARY);
  expect(text).toContain("Math.min(pages[0]?.json?.['total'], 4)");
  expect(text).toContain('await until(readPages, (all) => listedOn(all).length === countedOn(all));');
});
