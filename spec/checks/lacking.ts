import type { Operation } from '../contract.ts';

/** Refusals that say that something is not there. */
const LACKING: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/**
 * True for a refusal of an operation that needs what may not exist (`x-needs`), such as a mapping of posted data: what comes without
 * it is not shown, so no promise is broken.
 */
export function mayLack(operation: Operation, status: number): boolean {
  return LACKING.has(status) && operation.extensions['x-needs'] !== undefined;
}
