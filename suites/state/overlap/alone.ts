import type { Kind } from '../../oracle/index.ts';
import type { Violation, TestContext } from '../../kit/context.ts';
import { Departure, Halt } from '../sequences/real.ts';
import type { Real } from '../sequences/real.ts';
import { Step } from '../sequences/step.ts';
import type { Family } from '../sequences/subject.ts';

/** What calls need to be tried one by one. */
export type Shared = Pick<Real, 'search' | 'told' | 'make'>;

/**
 * `kinds` change something. What the calls, made one after the other on one item, already leave that the document does not
 * allow: then that is the defect, and none of overlap. Told as the sequences tell it, so that it is one finding.
 */
export async function breachAlone(
  t: TestContext,
  family: Family,
  shared: Shared,
  kinds: readonly Kind[],
): Promise<Violation | undefined> {
  const real: Real = { ...shared, t, family, patienceMs: t.session.options.settleMs, steps: [] };
  const model = { subjects: [await shared.make()], order: undefined };
  try {
    for (const kind of kinds)
      await new Step({ kind, slot: 0, form: 0, identity: 'full', look: { form: 0, list: 'all' } }).run(model, real);
    return undefined;
  } catch (error) {
    if (error instanceof Departure) return error.violation;
    if (error instanceof Halt) return undefined;
    throw error;
  }
}
