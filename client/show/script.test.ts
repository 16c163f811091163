import { expect, test } from 'vitest';
import type { Exchange, JsonObject, Method, Operation, Violation } from '../../spec/index.ts';
import { exchangeOf } from '../../spec/testing/exchange.ts';
import { noteId } from './ids.ts';
import { toScript } from './script.ts';
import type { ScriptSources } from './script-plan.ts';

function exchange(operation: string, path: string, json: object, sentAt: number): Exchange {
  const method = operation.split(' ')[0] as Method;
  return exchangeOf({ id: String(sentAt), operation, method, path, json: json as JsonObject, sentAt });
}

const REMOVE = {
  id: 'DELETE /files/{fileId}',
  method: 'DELETE',
  path: '/files/{fileId}',
  parameters: [],
  responses: [],
};

test('a script names the member that holds the id of what it creates, unless it is "id"', () => {
  noteId('8');
  const memberIn = (created: object): string | undefined => {
    const made = exchange('POST /files', '/files', created, 1);
    const read = exchange('GET /files/{fileId}', '/files/8', created, 2);
    const contract = { operations: [REMOVE], operation: () => undefined };
    const sources = { contract, origin: () => made } as unknown as ScriptSources;
    const violation = { code: 'deleted-is-gone/readable', exchanges: [read] } as unknown as Violation;
    const script = toScript(violation, REMOVE as unknown as Operation, sources);
    expect(script?.requests[0]).toMatchObject({ creates: true, captures: [{ id: '8' }] });
    return script?.requests[0]?.idMember;
  };
  expect(memberIn({ folder: 'in', fileId: 8 })).toBe('fileId');
  expect(memberIn({ folder: 'in', id: 8 })).toBeUndefined();
});

test('what happened to an item after another one began to use it is sent after that', () => {
  const [AGENT, JOB] = [1, 2].map((n) => `0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f1${n}`);
  const agent = exchange('POST /agents', '/agents', { id: AGENT }, 1);
  const used = exchange('POST /jobs', '/jobs', { id: JOB }, 2);
  const job = { ...used, request: { ...used.request, body: Buffer.from(JSON.stringify({ agent: AGENT })) } };
  const removal = exchange('DELETE /agents/{id}', `/agents/${AGENT}`, {}, 3);
  const read = exchange('GET /jobs/{id}', `/jobs/${JOB}`, {}, 4);
  const sources = {
    contract: { operations: [], operation: () => undefined },
    origin: (id: string) => (id === AGENT ? agent : job),
    changes: (id: string) => (id === AGENT ? [removal] : []),
  } as unknown as ScriptSources;
  const violation = { code: 'no-server-error/status', exchanges: [read] } as unknown as Violation;
  const script = toScript(violation, REMOVE as unknown as Operation, sources);
  expect(script?.requests.map(({ method, url }) => `${method} ${new URL(url).pathname.split('/')[2] ?? ''}`)).toEqual([
    'POST agents',
    'POST jobs',
    'DELETE agents',
    'GET jobs',
  ]);
});

test('a change that was not answered is sent again, and does not replace the changes before it', () => {
  const JOB = '0ad2b3e8-0b3f-4e2a-9f57-2c1a7be40f13';
  const job = exchange('POST /jobs', '/jobs', { id: JOB }, 1);
  const update = exchange('PUT /jobs/{id}', `/jobs/${JOB}`, {}, 2);
  const { response: _response, ...reset } = exchange('PUT /jobs/{id}', `/jobs/${JOB}`, {}, 3);
  const read = exchange('GET /jobs/{id}', `/jobs/${JOB}`, {}, 4);
  const sources = {
    contract: { operations: [], operation: () => undefined },
    origin: () => job,
    changes: () => [update, reset],
  } as unknown as ScriptSources;
  const violation = { code: 'no-server-error/status', exchanges: [read] } as unknown as Violation;
  const { requests } = toScript(violation, REMOVE as unknown as Operation, sources) ?? {};
  expect(requests?.map(({ method, unanswered }) => [method, unanswered])).toEqual([
    ['POST', undefined],
    ['PUT', undefined],
    ['PUT', true],
    ['GET', undefined],
  ]);
});

test.each([
  [
    'a text that repeats a short one',
    `{"name":"${'a'.repeat(300_000)}"}`,
    [
      ['{"name":"', 1],
      ['a', 300_000],
      ['"}', 1],
    ],
  ],
  ['another text', Array.from({ length: 60_000 }, (_, index) => index).join(), undefined],
])('of a long body, a script has the parts of %s', (_, text, expected) => {
  const sent = exchange('POST /clues', '/clues', {}, 1);
  const posted = { ...sent, request: { ...sent.request, body: Buffer.from(text) } };
  const sources = { contract: { operations: [], operation: () => undefined } } as unknown as ScriptSources;
  const violation = { code: 'no-server-error/status', exchanges: [posted] } as unknown as Violation;
  const script = toScript(violation, REMOVE as unknown as Operation, sources);
  expect(script?.requests[0]?.parts?.map((part) => [part.text, part.times])).toEqual(expected);
  expect(script === undefined).toBe(expected === undefined);
});
