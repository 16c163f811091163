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

/** The script of a violation that these exchanges show. */
const scriptOf = (exchanges: readonly Exchange[], sources: object = {}): ReturnType<typeof toScript> =>
  toScript(
    { code: 'no-server-error/status', exchanges } as unknown as Violation,
    REMOVE as unknown as Operation,
    { contract: { operations: [], operation: () => undefined }, ...sources } as unknown as ScriptSources,
  );

test('a script names the member that holds the id of what it creates, unless it is "id"', () => {
  noteId('8');
  const memberIn = (created: object): string | undefined => {
    const made = exchange('POST /files', '/files', created, 1);
    const read = exchange('GET /files/{fileId}', '/files/8', created, 2);
    const contract = { operations: [REMOVE], operation: () => undefined };
    const script = scriptOf([read], { contract, origin: () => made });
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
  const script = scriptOf([read], {
    origin: (id: string) => (id === AGENT ? agent : job),
    changes: (id: string) => (id === AGENT ? [removal] : []),
  });
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
  const { requests } = scriptOf([read], { origin: () => job, changes: () => [update, reset] }) ?? {};
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
  const script = scriptOf([posted]);
  expect(script?.requests[0]?.parts?.map((part) => [part.text, part.times])).toEqual(expected);
  expect(script === undefined).toBe(expected === undefined);
});
