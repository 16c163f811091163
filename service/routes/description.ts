import { describe } from '../description/describe.ts';
import { ok } from '../http/answer.ts';
import type { Operation } from '../http/call.ts';
import { inForm } from './define.ts';

/** Serves the description of these operations; no token is needed. */
export function descriptionOperations(operations: readonly Operation[]): readonly Operation[] {
  const description = describe(operations);
  return inForm('/api', 'none', { 'GET /swagger/v1/swagger.json': () => ok(description) });
}
