import type { CheckName, Operation } from '../../spec/index.ts';
import type { Violation } from './context.ts';

/** What was promised, what came instead, and the steps that show it. */
export type Evidence = Pick<Violation, 'expected' | 'received' | 'exchanges'>;

/** A violation of one requirement by one operation, in its usual words. */
export function violationOf(
  operation: Operation,
  check: CheckName,
  requirement: string,
  cause: string,
  evidence: Evidence,
): Violation {
  return { check, requirement, operation, cause, message: `${operation.id}: ${cause}`, ...evidence };
}

/** Subject of a violation where the name or the description that was sent is not returned. */
export const NOT_AS_SENT = 'it is not as it was sent';
