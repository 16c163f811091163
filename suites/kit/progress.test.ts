import { expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { GROUPS } from './in-order.ts';
import { progressReporter, remainingMs } from './progress.ts';

function moduleOf(group: string, tests: number): TestModule {
  const moduleId = `/x/suites/groups/${group}.suite.ts`;
  return { moduleId, children: { allTests: () => Array.from({ length: tests }) } } as unknown as TestModule;
}

it('grows with every test, and is whole when the last group has ended', () => {
  const shares: number[] = [];
  const reporter = progressReporter((share) => shares.push(share));
  for (const group of GROUPS) {
    const module = moduleOf(group, 4);
    reporter.onTestModuleCollected?.(module);
    for (let test = 0; test < 4; test += 1) reporter.onTestCaseResult?.({} as never);
    reporter.onTestModuleEnd?.(module);
  }
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares[0]).toBeGreaterThan(0);
  expect(shares.at(-1)).toBe(1);
});

it('the time that is left follows the time so far, up to the budget', () => {
  expect(remainingMs(0.25, 1000)).toBe(3000);
  expect(remainingMs(0.25, 1000, 500)).toBe(500);
  expect(remainingMs(0, 1000, 500)).toBe(500);
});
