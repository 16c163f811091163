import { setTimeout as sleep } from 'node:timers/promises';
import type { Violation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { orderEntries } from './processing-order.ts';

/** Number of times that the order is read to see whether others set it, and milliseconds in between. */
const READS = 6;
const PAUSE_MS = 40;

/**
 * True where others are setting the order, so that nothing can be concluded from reads: policies of others move while this run does
 * nothing, and its own policies keep their order. Where own policies move too, the deployment itself is unstable.
 */
export async function othersSetTheOrder(t: TestContext): Promise<boolean> {
  const read = async (): Promise<{ readonly own: readonly string[]; readonly others: readonly string[] }> => {
    const ids = [...(await orderEntries(t)).keys()];
    return { own: ids.filter((id) => t.isOwn(id)), others: ids.filter((id) => !t.isOwn(id)) };
  };
  let before = await read();
  let haveOthersMoved = false;
  let haveOwnMoved = false;
  for (let count = 1; count < READS; count += 1) {
    await sleep(PAUSE_MS);
    const now = await read();
    haveOthersMoved ||= !isSameOrder(before.others, now.others);
    haveOwnMoved ||= !isSameOrder(before.own, now.own);
    before = now;
  }
  return haveOthersMoved && !haveOwnMoved;
}

/** True where the ids that are in both have the same order. */
function isSameOrder(before: readonly string[], now: readonly string[]): boolean {
  const [had, has] = [new Set(before), new Set(now)];
  const common = now.filter((id) => had.has(id));
  return before.filter((id) => has.has(id)).every((id, at) => id === common[at]);
}

/** How many of how many attempts must fail before a violation is reported: others can disturb a scenario. */
interface Certainty {
  readonly failures: number;
  readonly attempts: number;
}

const ALWAYS: Certainty = { failures: 3, attempts: 3 };

/** For scenarios that depend on timing, such as overlapping calls. */
export const SOMETIMES: Certainty = { failures: 2, attempts: 5 };

/**
 * Reports the violation of a scenario about the order, where it occurs repeatedly. Skips the test where others are setting the order.
 * True where nothing was reported.
 */
export async function repeatedlyHolds(
  t: TestContext,
  scenario: () => Promise<Violation | undefined>,
  { failures, attempts } = ALWAYS,
): Promise<boolean> {
  let failed = 0;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const violation = await scenario();
    if (violation === undefined) {
      if (failed === 0 || attempts - attempt < failures - failed) return true;
      continue;
    }
    failed += 1;
    const isCertain = violation.exchanges.some((each) => t.isUnusable(each));
    if (failed < failures && !isCertain) continue;
    if (!isCertain && (await othersSetTheOrder(t))) t.skip('others set the processing order at the same time');
    t.report(violation);
    return false;
  }
  return true;
}
