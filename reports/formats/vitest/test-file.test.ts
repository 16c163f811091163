import { expect, test } from 'vitest';
import type { MergedFinding, Summary } from '../../summary/types.ts';
import { testFileOf } from './test-file.ts';

const SUMMARY = { version: '1', target: { baseUrl: 'http://target' }, findings: [] } as unknown as Summary;

/** The test of a finding about one read that was answered as JSON. */
function textOf(code: string, accept: string): string {
  const request = { method: 'GET', url: 'http://target/things', headers: { accept } };
  const response = { status: 200, headers: [['Content-Type', 'application/json; charset=utf-8']], body: '"a,b"' };
  const finding = {
    fingerprint: '1',
    code,
    check: code.split('/', 1)[0],
    operation: 'GET /things',
    message: 'GET /things is wrong',
    requirement: '',
    source: '',
    expected: '',
    received: '',
    steps: [{ request, response }],
    script: {
      requests: [{ ...request, step: 0, received: { status: 200, ids: [] } }],
      rule: { keyword: 'type', value: 'array' },
      statuses: ['200'],
      mediaTypes: ['application/json', accept],
      defaults: {},
    },
  };
  return testFileOf(finding as unknown as MergedFinding, SUMMARY);
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
  const finding = {
    code: 'deleted-is-gone/readable',
    check: 'deleted-is-gone',
    operation: 'DELETE /things',
    message: 'wrong',
    requirement: '',
    source: '',
    expected: '',
    received: '',
    pauseSeconds: 2,
    steps: [change, read].map((request) => ({ request })),
    script: { requests: [change, read], statuses: [], mediaTypes: [], defaults: {} },
  };
  expect(testFileOf(finding as unknown as MergedFinding, SUMMARY)).toMatch(/'DELETE'[^\n]+\n\s+await pause\(2000\);/u);
});

test('what was sent to other items meanwhile is sent again where overlapping calls violate a requirement or findings were tried alone, unless this one recurred alone', () => {
  const headers = { accept: 'application/json' };
  const change = { method: 'PUT', url: 'http://target/things/x', headers, body: '{', step: 0 };
  const finding = {
    code: 'malformed-json/served',
    check: 'malformed-json',
    operation: 'PUT /things/{id}',
    message: 'wrong',
    requirement: '',
    source: '',
    expected: '',
    received: '',
    steps: [{ request: change }],
    script: {
      requests: [{ ...change, received: { status: 200, ids: [] } }],
      alongside: [{ method: 'DELETE', url: 'http://target/things/x', headers }],
      statuses: [],
      mediaTypes: [],
      defaults: {},
    },
  };
  const textIn = (code: string, recurred?: boolean): string => {
    const summary = { ...SUMMARY, findings: [{ code, recurred }] } as unknown as Summary;
    return testFileOf({ ...finding, recurred } as unknown as MergedFinding, summary);
  };
  expect(textIn('overlap/lost-update', false)).toMatch(/'DELETE', '\/things\/x', common\);\n\s+\};[^]+during\(others/u);
  expect(textIn('overlap/lost-update', true)).not.toContain('during(');
  expect(textIn('malformed-json/served', false)).toContain('during(');
  expect(textIn('malformed-json/served')).not.toContain('during(');
});
