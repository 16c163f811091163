import { beforeAll, expect, test } from 'vitest';
import type { Contract, Exchange, Operation, CheckName, Expectation } from '../index.ts';
import { CHECKS, checkEntry, checkOf, judgeExchange, loadContract } from '../index.ts';
import { loadPaths } from '../testing/description-file.ts';

let contract: Contract;

beforeAll(async () => {
  contract = await loadContract();
});

const operationOf = (id: string): Operation => contract.operation(id) ?? expect.fail(`no ${id}`);

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
  readonly accept?: string;
  readonly failure?: 'reset' | 'refused';
  /** Other than that of the operation. */
  readonly method?: 'PATCH';
}

function exchangeOf(operation: Operation, answer: Answer): Exchange {
  const { status, type, body = '', accept = '*/*', failure, method = operation.method } = answer;
  const bytes = new TextEncoder().encode(body);
  let parsed: { json?: never; jsonError?: string } = {};
  if (type?.includes('json') === true && body !== '') {
    try {
      parsed = { json: JSON.parse(body) as never };
    } catch (error) {
      parsed = { jsonError: String(error) };
    }
  }
  const base = {
    id: 'x1',
    operation: operation.id,
    form: '/api',
    identity: 'full',
    sentAt: 0,
    durationMs: 1,
    attempts: 1,
    request: {
      method,
      url: `http://127.0.0.1/api${operation.path.replaceAll(/\{\w+\}/g, '6f0d3a1c-52b7-4c1e-9a68-0b1d2c3e4f5a')}`,
      headers: { accept, authorization: 'Bearer $ASSAY_TOKEN' },
    },
  } as const;
  if (failure !== undefined) return { ...base, failure: { kind: failure, message: failure } };
  return {
    ...base,
    response: {
      status,
      headers: type === undefined ? [] : [['content-type', type]],
      body: bytes,
      truncated: false,
      ...(type === undefined ? {} : { mediaType: type }),
      ...parsed,
    },
  };
}

function caught(id: string, answer: Answer, expectation: Expectation = 'any'): readonly CheckName[] {
  const operation = operationOf(id);
  return judgeExchange(contract, operation, exchangeOf(operation, answer), expectation).map(({ code }) =>
    checkOf(code),
  );
}

test.each([
  ['a valid order', [{ id: '6f0d3a1c-52b7-4c1e-9a68-0b1d2c3e4f5a', name: 'a', order: 0 }], 1],
  ['an order with a name of a wrong type', [{ id: '6f0d3a1c-52b7-4c1e-9a68-0b1d2c3e4f5a', name: {}, order: 0 }], 0],
])('the refusal of %s is judged by the schema of the request', (_case, order, count) => {
  const operation = operationOf('POST /accesscontrolpolicies/setprocessingorder');
  const { request, ...rest } = exchangeOf(operation, { status: 400 });
  const headers = { ...request.headers, 'content-type': 'application/json; charset=utf-8' };
  const body = new TextEncoder().encode(JSON.stringify(order));
  const exchange = { ...rest, request: { ...request, headers, body } };
  expect(judgeExchange(contract, operation, exchange, 'success')).toHaveLength(count);
});

test.each([
  ['http://127.0.0.1/api/aijob/1/results/a%2F', 0],
  ['http://127.0.0.1/api/aijob/1/results/a/', 0],
  ['http://127.0.0.1/api/aijob//results/a', 0],
  ['http://127.0.0.1/api/aijob/1/results/%2E%2e', 0],
  ['http://127.0.0.1/api/aijob/1/results/a', 1],
  ['http://127.0.0.1/api/aijob/1/results/a?b=%2F', 1],
])('the redirect of %s gives %d violations', (url, count) => {
  const operation = operationOf('GET /aijob/{id}/results/{type}');
  const { request, ...rest } = exchangeOf(operation, { status: 307 });
  expect(judgeExchange(contract, operation, { ...rest, request: { ...request, url } }, 'any')).toHaveLength(count);
});

const ID = '"0AD2B3E8-0B3F-4E2A-9F57-2C1A7BE40F11"';

test.each<[string, string, Answer, Expectation, readonly CheckName[]]>([
  ['a 500', 'GET /aijobskills', { status: 500 }, 'any', ['no-server-error']],
  ['a 500 for another method', 'GET /aijobskills', { status: 500, method: 'PATCH' }, 'any', ['no-server-error']],
  ['a 501 for another method', 'GET /aijobskills', { status: 501, method: 'PATCH' }, 'any', []],
  ['a reset', 'GET /aijobskills', { status: 0, failure: 'reset' }, 'any', ['answered']],
  ['a refused connection, which is no finding', 'GET /aijobskills', { status: 0, failure: 'refused' }, 'any', []],
  ['a 206', 'PUT /aiagent/{id}', { status: 206 }, 'any', ['status-documented']],
  ['a redirect', 'GET /aijobskills', { status: 302 }, 'any', ['status-documented']],
  ['a null result', 'GET /aijob/summary', { status: 204 }, 'success', []],
  ['a null result for a list', 'GET /aijobskills', { status: 204 }, 'success', ['status-documented']],
  ['a refusal of what is valid', 'GET /aijobskills', { status: 400 }, 'success', ['valid-request-served']],
  ['a permission that is not shown', 'POST /clue', { status: 403 }, 'success', []],
  ['a refusal in spite of the permission', 'GET /aijob', { status: 403 }, 'success', ['valid-request-served']],
  ['a second decision', 'PUT /aijob/{id}/bulk-result-approval-request', { status: 409 }, 'success', []],
  ['a small body that is too large', 'POST /aiagent', { status: 413 }, 'success', ['valid-request-served']],
  ['a refusal that the document leaves open', 'GET /aijobskills', { status: 418 }, 'any', []],
  ['HTML', 'GET /aijobskills', { status: 200, type: 'text/html', body: '<p>' }, 'success', ['content-type-offered']],
  ['no content type', 'GET /aijobskills', { status: 200, body: '[]' }, 'success', ['headers-declared']],
  [
    'HTML where no schema is given',
    'GET /aiagent',
    { status: 200, type: 'text/html', body: '<p>' },
    'success',
    ['content-type-offered'],
  ],
  [
    'no body where one is promised',
    'GET /aijobskills',
    { status: 200, type: 'application/json' },
    'success',
    ['body-fits-schema'],
  ],
  [
    'a uuid as plain text',
    'POST /accesscontrolpolicies',
    { status: 200, type: 'text/plain', body: ID.replaceAll('"', '') },
    'success',
    [],
  ],
  [
    'words for JSON that was asked for',
    'GET /status',
    { status: 200, type: 'text/plain', body: 'Healthy', accept: 'application/json' },
    'success',
    ['json-well-formed'],
  ],
  [
    'another item',
    'GET /aiagent/{id}',
    { status: 200, type: 'application/json', body: `{"id":${ID}}` },
    'any',
    ['own-id'],
  ],
  ['401 to a token with every permission', 'GET /aijobskills', { status: 401 }, 'valid', ['valid-request-served']],
  ['404 where nothing can be missing', 'GET /aijobskills', { status: 404 }, 'valid', ['valid-request-served']],
  ['405 of a described method', 'GET /aijobskills', { status: 405 }, 'valid', ['valid-request-served']],
  ['404 to an id', 'GET /aiagent/{id}', { status: 404 }, 'valid', []],
  ['400 by a description that promises nothing', 'GET /aijobskills', { status: 400 }, 'valid', []],
])('%s', (_title, id, answer, expectation, checks) => {
  expect([...new Set(caught(id, answer, expectation))]).toEqual(checks);
});

test.each<[title: string, id: string, body: string, checks: readonly CheckName[], accept?: string]>([
  ['malformed JSON', 'GET /aijobskills', '[', ['json-well-formed']],
  ['an object for an array', 'GET /aijobskills', '{}', ['body-fits-schema']],
  ['a uuid in upper case', 'POST /accesscontrolpolicies', ID, []],
  ['no uuid', 'POST /accesscontrolpolicies', '"17"', ['body-fits-schema']],
  ['a list in a wrapper', 'GET /accesscontrolpolicies', '{"total":0,"items":[]}', []],
  ['an agent whose id is no uuid', 'GET /aiagent', '[{"id":17}]', ['own-id']],
  ['another type than was asked for', 'GET /status', '{}', ['content-type-offered'], 'text/json'],
  ['plain text asked for, as the framework answers', 'GET /status', '{}', [], 'text/plain'],
])('in JSON: %s', (_title, id, body, checks, accept = '*/*') => {
  expect([...new Set(caught(id, { status: 200, type: 'application/json', body, accept }, 'success'))]).toEqual(checks);
});

test('a violation of what is only published is graded as such', () => {
  const operation = operationOf('GET /accesscontrolpolicies/{id}');
  const body = '{"id":"6f0d3a1c-52b7-4c1e-9a68-0b1d2c3e4f5a","isActive":"yes"}';
  const violations = judgeExchange(
    contract,
    operation,
    exchangeOf(operation, { status: 200, type: 'application/json', body }),
  );
  expect(violations.map((violation) => [violation.grade, violation.instancePointer])).toEqual([
    ['published', '/isActive'],
  ]);
});

test('a refused token is documented where the description says who may call, and else inferred', () => {
  const operation = operationOf('GET /aijobskills');
  const gradeOf = (changed: Partial<Operation>): string | undefined => {
    const asked = { ...operation, ...changed };
    return judgeExchange(contract, asked, exchangeOf(asked, { status: 401 }), 'valid')[0]?.grade;
  };
  expect(gradeOf({})).toBe('documented');
  expect(gradeOf({ permission: 'unstated' })).toBe('inferred');
});

test('every check says its rule in a sentence', () => {
  for (const name of Object.keys(CHECKS) as CheckName[]) expect(checkEntry(name).rule).toMatch(/^[A-Z].*\.$/);
});

test('checks cite requirements that exist', () => {
  const operation = operationOf('GET /aijobskills');
  const ids = new Set(contract.requirements.map((each) => each.id));
  const answers: readonly Answer[] = [
    { status: 500 },
    { status: 0, failure: 'reset' },
    { status: 200, type: 'text/html', body: '<p>' },
    { status: 200, type: 'application/json', body: '[' },
  ];
  for (const answer of answers) {
    for (const violation of judgeExchange(contract, operation, exchangeOf(operation, answer)))
      expect(ids).toContain(violation.requirement);
  }
});

const ACCOUNT = {
  type: 'object',
  properties: { id: { type: 'integer' }, secret: { type: 'string', writeOnly: true } },
};
const json = (schema: unknown): unknown => ({ description: 'ok', content: { 'application/json': { schema } } });

test.each<[string, Answer, readonly string[]]>([
  ['a refusal as HTML', { status: 404, type: 'text/html', body: '<p>' }, ['content-type-offered/refusal inferred']],
  ['a refusal as other JSON', { status: 404, type: 'a/b+json', body: '{}' }, ['content-type-offered/refusal inferred']],
  ['a refusal by a gateway', { status: 429, type: 'text/html', body: '<p>' }, []],
  ['a refusal that is not described', { status: 400, type: 'text/html', body: '<p>' }, []],
  [
    'a writeOnly member',
    { status: 200, type: 'application/json', body: '[{"id":1},{"id":2,"secret":"s3"}]' },
    ['body-fits-schema/write-only inferred'],
  ],
  ['a masked one', { status: 200, type: 'application/json', body: '[{"secret":"****"},{"secret":null}]' }, []],
])('another description: %s', async (_case, answer, expected) => {
  const nullable = { type: 'object', properties: { secret: { ...ACCOUNT.properties.secret, nullable: true } } };
  const items = { anyOf: [ACCOUNT, nullable], allOf: [{ properties: nullable.properties }] };
  const responses = { 200: json({ type: 'array', items }), 404: json({ type: 'object' }) };
  const other = await loadPaths({ '/accounts': { get: { responses } } });
  const operation = other.operation('GET /accounts') ?? expect.fail('no GET /accounts');
  const found = judgeExchange(other, operation, exchangeOf(operation, answer), 'any');
  expect(found.map(({ code, grade = '' }) => `${code} ${grade}`)).toEqual(expected);
});

test('a default response that stands alone describes the success', async () => {
  const other = await loadPaths({ '/deals': { get: { responses: { default: json({ type: 'array' }) } } } });
  const operation = other.operation('GET /deals') ?? expect.fail('no GET /deals');
  const codesOf = (status: number): readonly string[] =>
    judgeExchange(other, operation, exchangeOf(operation, { status, type: 'application/json', body: '{}' }), 'any').map(
      ({ code }) => code,
    );
  expect(codesOf(401)).toEqual([]);
  expect(codesOf(200)).toEqual(['body-fits-schema/mismatch']);
});
