import { expect, it } from 'vitest';
import type { TestModule } from 'vitest/node';
import { groupsWith } from '../groups/suites.ts';
import { paceAt, RemainingTime, expectedRequests, runMs } from './effort.ts';
import { GROUPS } from './groups.ts';
import { followRun } from './progress.ts';

const SHAPE = { operations: 43, runs: 50 };

function moduleOf(group: string, tests: number): TestModule {
  const moduleId = `/x/suites/groups/${group}.suite.ts`;
  return { moduleId, children: { allTests: () => Array.from({ length: tests }) } } as unknown as TestModule;
}

it('less is left with every test, and nothing when the last group has ended', () => {
  const now = performance.now();
  const run = followRun(new RemainingTime(SHAPE, paceAt(0)), () => Number.POSITIVE_INFINITY);
  const left = [run.leftMs(now)];
  for (const group of GROUPS) {
    const module = moduleOf(group, 4);
    run.reporter.onTestModuleCollected?.(module);
    for (let test = 0; test < 4; test += 1) {
      run.reporter.onTestCaseResult?.({ result: () => ({ state: 'skipped' }) } as never);
      left.push(run.leftMs(now));
    }
    run.reporter.onTestModuleEnd?.(module);
    left.push(run.leftMs(now));
  }
  expect(left[0]).toBeGreaterThan(10_000);
  expect(left.at(-1)).toBe(0);
});

it('a group without selected tests does not end a run that goes on', () => {
  const run = followRun(new RemainingTime({ ...SHAPE, groups: ['operations', 'lists'] }, paceAt(0)), () => Infinity);
  const module = moduleOf('operations', 0);
  run.reporter.onTestModuleCollected?.(module);
  run.reporter.onTestModuleEnd?.(module);
  expect(run.leftMs(performance.now())).toBeGreaterThan(0);
});

/** What the first groups took at 120 ms per response, in seconds, and what the rest of the run took then. */
const MEASURED = {
  groups: { operations: [83, 4.9], lists: [34, 5], items: [266, 16.7], races: [42, 7.3] },
  restMs: 126_000,
} as const;

it('what is left follows the time that the groups took so far', () => {
  const remaining = new RemainingTime(SHAPE, paceAt(20));
  let now = 0;
  const before = remaining.leftMs(0, now, Number.POSITIVE_INFINITY);
  for (const [group, [tests, seconds]] of Object.entries(MEASURED.groups)) {
    remaining.begin(group as keyof typeof MEASURED.groups, tests, now, Number.POSITIVE_INFINITY);
    now += seconds * 1000;
    remaining.end(now, 0);
  }
  const after = remaining.leftMs(0, now, Number.POSITIVE_INFINITY);
  expect(before).toBeLessThan(MEASURED.restMs);
  expect(Math.abs(after - MEASURED.restMs) / (now + MEASURED.restMs)).toBeLessThan(0.2);
});

it('less is left where many tests are skipped', () => {
  const leftAfter = (skipped: number): number => {
    const remaining = new RemainingTime(SHAPE, paceAt(20));
    remaining.begin('operations', 80, 0, Number.POSITIVE_INFINITY);
    remaining.end(2_000 * (1 - skipped / 80), skipped);
    return remaining.leftMs(0, 2_000, Number.POSITIVE_INFINITY);
  };
  const half = leftAfter(40) / leftAfter(0);
  expect(half).toBeGreaterThan(0.4);
  expect(half).toBeLessThan(0.6);
  expect(leftAfter(80)).toBe(0);
});

it('of a selection only the groups with selected tests are left, as large as the last one was', () => {
  const remaining = new RemainingTime({ ...SHAPE, groups: groupsWith(['state/json-patch'], []) }, paceAt(0));
  const now = 0;
  remaining.begin('items', 14, now, Number.POSITIVE_INFINITY);
  const left = remaining.leftMs(0, now, Number.POSITIVE_INFINITY);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(400);
});

it('a run takes as long as its budget, its rate or its requests let it', () => {
  const unlimited = runMs(SHAPE, paceAt(120));
  expect(runMs(SHAPE, paceAt(120), 60_000)).toBeLessThanOrEqual(60_000);
  expect(runMs({ ...SHAPE, maxRate: 20 }, paceAt(120))).toBeGreaterThan(unlimited);
  expect(runMs({ ...SHAPE, maxRequests: 10 }, paceAt(120))).toBeLessThan(unlimited);
  expect(expectedRequests({ ...SHAPE, maxRequests: 10 })).toBe(430);
});

it('more is left while a group takes longer than expected, and is measured once tests have ended', () => {
  const remaining = new RemainingTime(SHAPE, paceAt(20));
  remaining.begin('operations', 65, 0, Number.POSITIVE_INFINITY);
  const [before, after] = [100, 5_000].map((now) => remaining.leftMs(0.5, now, Number.POSITIVE_INFINITY));
  expect(after).toBeGreaterThan(2 * (before ?? 0));
  expect(remaining.measuredMs(0, 5_000)).toBe(0);
  expect(remaining.measuredMs(0.5, 5_000)).toBe(2_500);
  remaining.end(6_000, 0);
  expect(remaining.measuredMs(0, 7_000)).toBe(6_000);
});
