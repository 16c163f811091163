import { growingPauses, poll } from '../../domain/context.ts';
import type { Violation } from '../../spec/index.ts';
import type { TestContext } from './context.ts';

type Evaluate<V> = () => Promise<V | undefined>;

/**
 * The violation that `evaluate` still finds after `forMs` (default: the settle time); undefined as soon as it finds
 * none. `evaluate` only reads.
 */
export function persists<V extends Violation>(
  t: Pick<TestContext, 'settleMs'>,
  evaluate: Evaluate<V>,
  forMs = t.settleMs,
): Promise<V | undefined> {
  return poll(evaluate, (violation) => violation === undefined, growingPauses(forMs));
}

/**
 * Reports the violation that `evaluate` finds at once, after the settle time and again a little later; true where it
 * finds none.
 */
export async function holds(
  t: Pick<TestContext, 'settleMs' | 'report'>,
  evaluate: Evaluate<Violation>,
): Promise<boolean> {
  const violation = await poll(evaluate, (found) => found === undefined, [t.settleMs, t.settleMs / 4]);
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}
