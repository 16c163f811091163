import { isDeepStrictEqual } from 'node:util';
import jsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { Refusal, badRequest } from '../http/refusal.ts';
import { fit } from '../model/shape.ts';
import { patchShape } from '../model/run.ts';

/** What is wrong about a patch only because of what the document holds. */
const CONFLICTS = new Set([
  'TEST_OPERATION_FAILED',
  'OPERATION_PATH_UNRESOLVABLE',
  'OPERATION_FROM_UNRESOLVABLE',
  'OPERATION_PATH_CANNOT_ADD',
  'OPERATION_VALUE_OUT_OF_BOUNDS',
]);

/**
 * Applies an RFC 6902 patch to a copy.
 * @throws Refusal 400 for a patch that is wrong, 409 for a `test` that fails or a pointer that leads nowhere.
 */
export function applyPatch(document: object, body: unknown): unknown {
  const patch = fit<Operation[]>(patchShape, body);
  const problem = patch.find(isMoveIntoItself);
  if (problem !== undefined) throw badRequest('A value cannot be moved into itself.');
  try {
    return jsonPatch.applyPatch(document, patch, true, false).newDocument;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (CONFLICTS.has(name))
      throw new Refusal(409, 'The patch does not apply to the document as it is.', { patch: [name] });
    throw badRequest('The patch cannot be applied.', { patch: [name === '' ? 'It is not valid.' : name] });
  }
}

function isMoveIntoItself(operation: Operation): boolean {
  return operation.op === 'move' && operation.path.startsWith(`${operation.from}/`);
}

export { isDeepStrictEqual as sameJson };
