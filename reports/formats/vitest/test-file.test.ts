import { expect, test } from 'vitest';
import type { MergedFinding, Summary } from '../../summary/types.ts';
import { testFileOf } from './test-file.ts';

const SUMMARY = { version: '1', target: { baseUrl: 'http://target' }, findings: [] } as unknown as Summary;

/** A finding with these members. */
const finding = (members: object): MergedFinding =>
  ({
    message: 'wrong',
    requirement: '',
    source: '',
    expected: '',
    received: '',
    ...members,
  }) as unknown as MergedFinding;

/** The script of a finding about statuses of any kind. */
const scriptOf = (requests: readonly object[], members: object = {}): object => ({
  requests,
  statuses: [],
  mediaTypes: [],
  defaults: {},
  ...members,
});

/** The test of a finding about one read that was answered as JSON. */
function textOf(code: string, accept: string): string {
  const request = { method: 'GET', url: 'http://target/things', headers: { accept } };
  const response = { status: 200, headers: [['Content-Type', 'application/json; charset=utf-8']], body: '"a,b"' };
  const given = finding({
    fingerprint: '1',
    code,
    check: code.split('/', 1)[0],
    operation: 'GET /things',
    message: 'GET /things is wrong',
    steps: [{ request, response }],
    script: {
      requests: [{ ...request, step: 0, received: { status: 200, ids: [] } }],
      rule: { keyword: 'type', value: 'array' },
      statuses: ['200'],
      mediaTypes: ['application/json', accept],
      defaults: {},
    },
  });
  return testFileOf(given, SUMMARY);
}

test('what was asked for in another media type has to be JSON, and to match its schema, only where it is answered as JSON', () => {
  for (const code of ['body-fits-schema/mismatch', 'json-well-formed/malformed']) {
    expect(textOf(code, 'text/csv')).toContain(".type === 'application/json') ");
    expect(textOf(code, 'application/json')).not.toContain('.type ===');
  }
});

test('waits as long as the run did before the read that shows an effect which is undone', () => {
  const received = { status: 200, ids: [] };
  const headers = { accept: 'application/json' };
  const change = { method: 'DELETE', url: 'http://target/things/1', headers, received, step: 0 };
  const read = { method: 'GET', url: 'http://target/things/1', headers, received, step: 1 };
  const given = finding({
    code: 'deleted-is-gone/readable',
    check: 'deleted-is-gone',
    operation: 'DELETE /things',
    pauseSeconds: 2,
    steps: [change, read].map((request) => ({ request })),
    script: scriptOf([change, read]),
  });
  expect(testFileOf(given, SUMMARY)).toMatch(/'DELETE'[^\n]+\n\s+await pause\(2000\);/u);
});

test('a change without a response before the finding may fail again', () => {
  const headers = { accept: 'application/json' };
  const change = { method: 'POST', url: 'http://target/things/1/queue', headers, unanswered: true };
  const read = { method: 'GET', url: 'http://target/things/1', headers, received: { status: 500, ids: [] }, step: 0 };
  const given = finding({
    code: 'no-server-error/status',
    check: 'no-server-error',
    operation: 'GET /things/{id}',
    steps: [{ request: read }],
    script: scriptOf([change, read]),
  });
  const text = testFileOf(given, SUMMARY);
  expect(text).toContain("await send('POST', '/things/1/queue', common).catch(() => undefined);");
});

test('what was sent to other items meanwhile is sent again where overlapping calls violate a requirement or findings were tried alone, unless this one recurred alone', () => {
  const headers = { accept: 'application/json' };
  const change = { method: 'PUT', url: 'http://target/things/x', headers, body: '{', step: 0 };
  const given = finding({
    code: 'malformed-json/served',
    check: 'malformed-json',
    operation: 'PUT /things/{id}',
    steps: [{ request: change }],
    script: scriptOf([{ ...change, received: { status: 200, ids: [] } }], {
      alongside: [{ method: 'DELETE', url: 'http://target/things/x', headers }],
    }),
  });
  const textIn = (code: string, recurred?: boolean): string => {
    const summary = { ...SUMMARY, findings: [{ code, recurred }] } as unknown as Summary;
    return testFileOf(finding({ ...given, recurred }), summary);
  };
  expect(textIn('overlap/lost-update', false)).toMatch(/'DELETE', '\/things\/x', common\);\n\s+\};[^]+during\(others/u);
  expect(textIn('overlap/lost-update', true)).not.toContain('during(');
  expect(textIn('model-conformance/other-item', true), 'its own test changed others too').toContain('during(');
  expect(textIn('malformed-json/served', false)).toContain('during(');
  expect(textIn('malformed-json/served')).not.toContain('during(');
});

test('a change is sent at the same moment as one of another item with the same method, if the run had one', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const item = `http://target/things/${id}`;
  const headers = { accept: 'application/json' };
  const creation = { method: 'POST', url: 'http://target/things', headers, body: '{}', creates: true };
  const made = { ...creation, captures: [{ id, place: 0 }], received: { status: 200, ids: [id] } };
  const change = { method: 'PUT', url: item, headers, body: '{', step: 0 };
  const textFor = (method: string): string => {
    const given = finding({
      code: 'malformed-json/served',
      check: 'malformed-json',
      operation: 'PUT /things/{id}',
      steps: [{ request: change }],
      recurred: false,
      script: scriptOf([made, { ...change, received: { status: 200, ids: [] } }], {
        alongside: [made, { method, url: item, headers }],
      }),
    });
    return testFileOf(given, { ...SUMMARY, findings: [given] });
  };
  expect(textFor('PUT')).toContain('await meet(others, steps);');
  expect(textFor('PUT')).toMatch(/'node:async_hooks';[^]+ await atChange\.getStore\(\)\?\.\(method\);/u);
  expect(textFor('DELETE')).not.toContain('meet(');
  expect(textFor('DELETE')).not.toContain('atChange');
});

test('a list that is read during other calls is read after the creation of what it has to show', () => {
  const headers = { accept: 'application/json' };
  const id = (digit: number): string => `0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f1${digit}`;
  const creation = (digit: number): Record<string, unknown> => ({
    method: 'POST',
    url: 'http://target/things',
    headers,
    body: '{}',
    creates: true,
    received: { status: 200, ids: [id(digit)] },
  });
  const deletion = { method: 'DELETE', url: `http://target/things/${id(2)}`, headers };
  const list = { method: 'GET', url: 'http://target/things', headers, received: { status: 200, ids: [] } };
  const requests = [
    { ...creation(1), step: 0 },
    { ...creation(2), overlaps: true, captures: [{ id: id(2), place: 0 }] },
    { ...deletion, step: 1 },
    { ...list, overlaps: true, step: 2 },
  ];
  const given = finding({
    code: 'overlap/list-incomplete',
    check: 'overlap',
    operation: 'GET /things',
    steps: requests.map((request) => ({ request, response: { status: 200, headers: [], body: '[]' } })),
    script: scriptOf(requests),
  });
  const text = testFileOf(given, SUMMARY);
  const [before = '', together = ''] = text.split('await Promise.all([').slice(-2);
  expect(before.match(/create\('\/things'/gu)).toHaveLength(2);
  expect(together).toMatch(/^\n[^\n]+send\('DELETE'[^\n]+\n[^\n]+send\('GET'/u);
});

test('names of a response are no code of the test', () => {
  const hostile = `a'+process.exit()+'(`;
  const request = { method: 'POST', url: 'http://target/things', headers: { [`x'y`]: '1' }, body: '{}' };
  const requests = [{ ...request, creates: true, idMember: hostile, step: 0, received: { status: 200, ids: [] } }];
  const given = finding({
    operation: 'POST /things',
    instancePointer: `/${hostile}`,
    steps: [{ request, response: { status: 200, headers: [], body: '{"total":1}', truncated: false } }],
    script: { requests, statuses: ['200'], mediaTypes: [], defaults: {} },
  });
  for (const code of ['no-server-error/status', 'published-behaviour/value']) {
    const check = code.split('/', 1)[0];
    const text = testFileOf(finding({ ...given, code, check }), SUMMARY);
    expect(text).toContain(`create('/things', common, '{}', ${JSON.stringify(hostile)})`);
    expect(text).toContain(`"x'y": '1'`);
  }
});
