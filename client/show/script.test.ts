import { expect, test } from 'vitest';
import type { Exchange, Operation, Violation } from '../../spec/index.ts';
import { noteId } from './ids.ts';
import { toScript } from './script.ts';
import type { ScriptSources } from './script-plan.ts';

function exchange(operation: string, path: string, json: object, sentAt: number): Exchange {
  const [method] = operation.split(' ');
  return {
    id: String(sentAt),
    operation,
    request: { method, url: `http://target${path}`, headers: {} },
    response: { status: 200, headers: [], json, body: Buffer.from(JSON.stringify(json)) },
    sentAt,
    durationMs: 0,
  } as unknown as Exchange;
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
