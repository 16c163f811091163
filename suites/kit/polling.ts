import { growingPauses, poll } from '../../domain/context.ts';
import type { Violation } from '../../spec/index.ts';
import type { TestContext } from './context.ts';

export type Evaluate<V> = () => Promise<V | undefined>;

/**
 * The violation that `evaluate` still finds after `forMs` (default: the settle time); undefined as soon as it finds
 * none. `evaluate` only reads.
 */
export async function persists<V extends Violation>(
  t: Pick<TestContext, 'settleMs' | 'sawLate'>,
  evaluate: Evaluate<V>,
  forMs = t.settleMs,
): Promise<V | undefined> {
  return tolerant(t, evaluate, growingPauses(forMs));
}

/** Evaluates again after each pause until no violation is found; what showed late is recorded. */
export async function tolerant<V extends Violation>(
  t: Pick<TestContext, 'sawLate'>,
  evaluate: Evaluate<V>,
  pausesMs: Iterable<number>,
): Promise<V | undefined> {
  const began = performance.now();
  let wrong = 0;
  let lastWrong = began;
  const look = async (): Promise<V | undefined> => {
    const violation = await evaluate();
    if (violation !== undefined) {
      wrong += 1;
      lastWrong = performance.now();
    }
    return violation;
  };
  const violation = await poll(look, (found) => found === undefined, pausesMs);
  if (violation === undefined && wrong > 0) t.sawLate({ ms: lastWrong - began, looks: wrong });
  return violation;
}

/**
 * Reports the violation that `evaluate` finds at once, after the settle time and again a little later; true where it
 * finds none.
 */
export async function holds(
  t: Pick<TestContext, 'settleMs' | 'report' | 'sawLate'>,
  evaluate: Evaluate<Violation>,
): Promise<boolean> {
  const violation = await tolerant(t, evaluate, [t.settleMs, t.settleMs / 4]);
  if (violation !== undefined) t.report(violation);
  return violation === undefined;
}
