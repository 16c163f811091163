import type { CheckName, Operation } from '../../spec/index.ts';
import type { LawBreach } from './trial.ts';

/** What was promised, what came instead, and the steps that show it. */
export type Evidence = Pick<LawBreach, 'expected' | 'received' | 'exchanges'>;

/** A breach of one requirement by one operation, in its usual words. */
export function breachOf(
  operation: Operation,
  check: CheckName,
  requirement: string,
  cause: string,
  evidence: Evidence,
): LawBreach {
  return { check, requirement, operation, cause, message: `${operation.id}: ${cause}`, ...evidence };
}
