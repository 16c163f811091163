import type { JsonObject } from '../../../spec/index.ts';
import { NIL_UUID } from './origin-code.ts';

/** A filter rule group without rules: it applies to everything. */
export function emptyFilter(): JsonObject {
  return {
    objectTypeId: NIL_UUID,
    condition: 'AND',
    field: null,
    id: NIL_UUID,
    operator: NIL_UUID,
    type: null,
    rules: [],
    value: null,
  };
}

/** An access control policy without rules, so that a deployment needs no registered action to accept it. */
export function samplePolicy(tag: string): JsonObject {
  return {
    name: tag,
    description: `Made by Assay (${tag}); safe to delete.`,
    condition: emptyFilter(),
    rules: [],
    isActive: false,
  };
}
