import type { Reporter, TestModule } from 'vitest/node';
import type { RemainingTime } from './effort.ts';
import { groupOf } from './groups.ts';

export interface RunProgress {
  /** To be given to Vitest. */
  readonly reporter: Reporter;
  /** Milliseconds that the run still takes at the time `now`; never more than its budget leaves. */
  leftMs(now: number): number;
  /** Milliseconds of what has ended so far: the estimate is based on it. */
  measuredMs(now: number): number;
}

/** Follows the groups of a run. `budgetLeftMs` returns the time that the budget leaves at the moment. */
export function followRun(remaining: RemainingTime, budgetLeftMs: () => number): RunProgress {
  let [tests, ended, skipped] = [0, 0, 0];
  const share = (): number => (tests === 0 ? 0 : ended / tests);
  return {
    reporter: {
      onTestModuleCollected(module: TestModule) {
        tests = [...module.children.allTests()].length;
        [ended, skipped] = [0, 0];
        const group = groupOf(module.moduleId);
        if (group !== undefined) remaining.begin(group, tests, performance.now(), budgetLeftMs());
      },
      onTestCaseResult(testCase) {
        ended += 1;
        if (testCase.result().state === 'skipped') skipped += 1;
      },
      onTestModuleEnd() {
        remaining.end(performance.now(), skipped);
      },
    },
    leftMs: (now) => remaining.leftMs(share(), now, budgetLeftMs()),
    measuredMs: (now) => remaining.measuredMs(share(), now),
  };
}
