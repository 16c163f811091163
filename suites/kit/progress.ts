import type { Reporter, TestModule } from 'vitest/node';
import { groupOf } from './in-order.ts';
import type { Group } from './in-order.ts';

/**
 * Time of each group of suites, in parts of a run: measured on the embedded service at standard depth. It tells how much is
 * left before the tests of the later groups are known.
 */
const WEIGHTS: Readonly<Record<Group, number>> = {
  'failed-before': 1,
  operations: 2,
  lists: 1,
  items: 7,
  order: 1,
  races: 4,
  'items-other-forms': 5,
  'lists-other-forms': 1,
  unusual: 5,
  sequences: 13,
  values: 60,
  collections: 5,
  snapshot: 1,
};

const TOTAL = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0);

/** Reports after each test which share of the run is done, from 0 to 1. */
export function progressReporter(onShare: (share: number) => void): Reporter {
  let earlier = 0;
  let weight = 0;
  let [tests, ended] = [0, 0];
  return {
    onTestModuleCollected(module: TestModule) {
      tests = [...module.children.allTests()].length;
      const group = groupOf(module.moduleId);
      weight = group === undefined ? 0 : WEIGHTS[group];
      ended = 0;
    },
    onTestCaseResult() {
      ended += 1;
      onShare((earlier + (weight * ended) / Math.max(tests, ended)) / TOTAL);
    },
    onTestModuleEnd() {
      earlier += weight;
      weight = 0;
      onShare(earlier / TOTAL);
    },
  };
}

/** Milliseconds that a run still takes, from the time that its suites took so far; never more than its budget leaves. */
export function remainingMs(share: number, elapsedMs: number, budgetLeftMs = Number.POSITIVE_INFINITY): number {
  return Math.min(budgetLeftMs, share > 0 ? (elapsedMs * (1 - share)) / share : Number.POSITIVE_INFINITY);
}
