import { setTimeout as sleep } from 'node:timers/promises';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { isSameOrder } from '../../../domain/builtin/processing-order.ts';
import type { Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { orderEntries, reliability } from './processing-order.ts';

/** Number of times that the order is read to see whether others set it. */
const READS = 12;

/** Milliseconds for these reads: at least, and at most where the settle time is not longer. */
const WATCH_MS = { least: 480, most: 6_000 };

/**
 * True where others are setting the order, so that nothing can be concluded from reads: policies move while this run does nothing.
 * Where those of this run move in the same way between two reads without a pause, the deployment itself is unstable. Watches for
 * three times as long as `tookMs`, and for the settle time: others who disturbed what took that long are seen, also through a cache.
 */
export async function othersSetTheOrder(t: TestContext, tookMs = 0): Promise<boolean> {
  const read = async (): Promise<readonly string[]> => [...(await orderEntries(t)).keys()];
  const own = (ids: readonly string[]): readonly string[] => ids.filter((id) => t.isOwn(id));
  const pauseMs = Math.max(WATCH_MS.least, t.settleMs, Math.min(WATCH_MS.most, 3 * tookMs)) / READS;
  const moves = { any: 0, own: 0, ownAtOnce: 0 };
  let before = await read();
  for (let count = 1; count < READS; count += 1) {
    await sleep(pauseMs);
    const now = await read();
    // What moves while this run removes policies may move because of that.
    if (own(before).every((id) => now.includes(id))) {
      if (!isSameOrder(before, now)) moves.any += 1;
      if (!isSameOrder(own(before), own(now))) moves.own += 1;
    }
    before = await read();
    if (!isSameOrder(own(now), own(before))) moves.ownAtOnce += 1;
  }
  return moves.any > 0 && 2 * moves.ownAtOnce <= moves.own;
}

/** How many of how many attempts must fail before a violation is reported: others can disturb a scenario. */
interface Certainty {
  readonly failures: number;
  readonly attempts: number;
}

const ALWAYS: Certainty = { failures: 3, attempts: 3 };

/** For scenarios that depend on timing, such as overlapping calls. */
export const SOMETIMES: Certainty = { failures: 2, attempts: 5 };

/** Reports a violation about the order that recurs; skips the test where others set the order. True where nothing was reported. */
export async function repeatedlyHolds(
  t: TestContext,
  scenario: () => Evaluation,
  { failures, attempts } = ALWAYS,
): Promise<boolean> {
  let failed = 0;
  let tookMs = 0;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const began = Date.now();
    const violation = await scenario();
    tookMs = Math.max(tookMs, Date.now() - began);
    if (violation === undefined) {
      if (failed === 0 || attempts - attempt < failures - failed) return true;
      continue;
    }
    failed += 1;
    const isCertain = violation.exchanges.some((each) => t.isUnusable(each));
    if (failed < failures && !isCertain) continue;
    if (!isCertain && (await othersSetTheOrder(t, tookMs))) t.skip('others set the processing order at the same time');
    t.report(violation);
    return false;
  }
  return true;
}

/**
 * Runs a scenario in which the order is set and a policy is changed, which must not move the order. Where the order is not even returned
 * as it was set, that is reported, and the scenario is run again with the order that is shown.
 */
export async function checkKept(t: TestContext, scenario: () => Evaluation): Promise<void> {
  const found = await reported(t, scenario);
  if (found === undefined) return;
  const reliable = await reliability(t);
  const isOfSetting = found.operation === operationOf(t, 'setOrder');
  if (isOfSetting) reliable.isLost = true;
  if (!isOfSetting || (await reported(t, scenario)) !== undefined) reliable.isMoved = true;
}

/** The violation that was reported. */
async function reported(t: TestContext, scenario: () => Evaluation): Evaluation {
  let last: Violation | undefined;
  const holds = await repeatedlyHolds(t, async () => {
    const violation = await scenario();
    last = violation ?? last;
    return violation;
  });
  return holds ? undefined : last;
}
