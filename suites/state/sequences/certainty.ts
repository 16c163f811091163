import type { Violation, TestContext } from '../../kit/context.ts';
import { othersSetTheOrder } from './disturbed.ts';

/** How often a whole scenario must fail that others at work could disturb, of how many times. */
interface Certainty {
  readonly fails: number;
  readonly of: number;
}

const ALWAYS: Certainty = { fails: 3, of: 3 };

/** What depends on moments, such as calls that overlap, does not fail each time. */
export const AT_TIMES: Certainty = { fails: 2, of: 5 };

/**
 * Reports what a scenario about the order ends in, but only where it ends in it again and nobody else sets the order: then what
 * is read of it tells nothing, and the test is skipped. Answers true where it held.
 */
export async function alwaysHolds(
  t: TestContext,
  scenario: () => Promise<Violation | undefined>,
  { fails, of } = ALWAYS,
): Promise<boolean> {
  let failed = 0;
  for (let time = 1; time <= of; time += 1) {
    const violation = await scenario();
    if (violation === undefined && (failed === 0 || of - time < fails - failed)) return true;
    if (violation === undefined) continue;
    failed += 1;
    const certain = violation.exchanges.some((each) => t.hasViolation(each));
    if (failed < fails && !certain) continue;
    if (!certain && (await othersSetTheOrder(t))) t.skip('others set the processing order meanwhile');
    t.report(violation);
    return false;
  }
  return true;
}
