import { operationOf } from '../../../domain/builtin/operations.ts';
import type { Violation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { reliability } from './processing-order.ts';
import { repeatedlyHolds } from './stability.ts';

/**
 * Runs a scenario in which the order is set and a policy is changed, which must not move the order. Where the order is not even returned
 * as it was set, that is reported, and the scenario is run again with the order that is shown.
 */
export async function checkKept(t: TestContext, scenario: () => Promise<Violation | undefined>): Promise<void> {
  const found = await reported(t, scenario);
  if (found === undefined) return;
  const reliable = await reliability(t);
  const isOfSetting = found.operation === operationOf(t, 'setOrder');
  if (isOfSetting) reliable.isLost = true;
  if (!isOfSetting || (await reported(t, scenario)) !== undefined) reliable.isMoved = true;
}

/** The violation that was reported. */
async function reported(
  t: TestContext,
  scenario: () => Promise<Violation | undefined>,
): Promise<Violation | undefined> {
  let last: Violation | undefined;
  const holds = await repeatedlyHolds(t, async () => {
    const violation = await scenario();
    last = violation ?? last;
    return violation;
  });
  return holds ? undefined : last;
}
