import { isDeepStrictEqual } from 'node:util';
import jsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { Refusal, badRequest } from '../http/refusal.ts';
import { fit } from '../model/shape.ts';
import { patchShape } from '../model/run.ts';

/**
 * Applies an RFC 6902 patch to a copy.
 * @throws Refusal 400 for a patch that is wrong or leads nowhere, 409 for a `test` that fails.
 */
export function applyPatch(document: object, body: unknown): unknown {
  const patch = fit<Operation[]>(patchShape, body);
  const problem = patch.find(isMoveIntoItself);
  if (problem !== undefined) throw badRequest('A value cannot be moved into itself.');
  try {
    return jsonPatch.applyPatch(document, patch, true, false).newDocument;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'TEST_OPERATION_FAILED') throw new Refusal(409, 'A test operation of the patch failed.');
    throw badRequest('The patch cannot be applied.', { patch: [name === '' ? 'It is not valid.' : name] });
  }
}

function isMoveIntoItself(operation: Operation): boolean {
  return operation.op === 'move' && operation.path.startsWith(`${operation.from}/`);
}

export { isDeepStrictEqual as sameJson };
