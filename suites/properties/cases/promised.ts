import type { Json } from '../../../spec/index.ts';
import { isPlainClue, isPlainRaw } from '../../../domain/builtin/cases/clues.ts';
import { OPERATIONS } from '../../../domain/builtin/operations.ts';

/** Bodies that the document promises to be taken, by operation. */
const PROMISED: Readonly<Record<string, (body: Json | undefined) => boolean>> = {
  [OPERATIONS.clue]: isPlainClue,
  [OPERATIONS.raw]: isPlainRaw,
};

/** Whether the document promises that a body is taken; undefined where it promises nothing of the kind. */
export function isPromised(operationId: string, body: Json | undefined): boolean | undefined {
  return PROMISED[operationId]?.(body);
}
