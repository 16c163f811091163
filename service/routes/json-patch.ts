import { isDeepStrictEqual } from 'node:util';
import jsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { Refusal, badRequest } from '../http/refusal.ts';
import { fit } from '../model/shape.ts';
import { patchShape } from '../model/run.ts';

/** Errors that depend on the patched document. */
const CONFLICTS = new Set([
  'TEST_OPERATION_FAILED',
  'OPERATION_PATH_UNRESOLVABLE',
  'OPERATION_FROM_UNRESOLVABLE',
  'OPERATION_PATH_CANNOT_ADD',
  'OPERATION_VALUE_OUT_OF_BOUNDS',
]);

/** Applies an RFC 6902 patch to a copy. Throws Refusal: 400 for an invalid patch, 409 for a failed `test` or a missing pointer. */
export function applyPatch(document: object, body: unknown): unknown {
  const patch = fit<Operation[]>(patchShape, body);
  const problem = patch.find(isMoveIntoItself);
  if (problem !== undefined) throw badRequest('A value cannot be moved into itself.');
  try {
    return jsonPatch.applyPatch(document, patch, true, false).newDocument;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (CONFLICTS.has(name))
      throw new Refusal(409, 'The patch does not apply to the current document.', { patch: [name] });
    throw badRequest('The patch cannot be applied.', { patch: [name === '' ? 'It is not valid.' : name] });
  }
}

function isMoveIntoItself(operation: Operation): boolean {
  return operation.op === 'move' && operation.path.startsWith(`${operation.from}/`);
}

export { isDeepStrictEqual as sameJson };
