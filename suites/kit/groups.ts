import type { TestSequencer, TestSpecification } from 'vitest/node';

/**
 * The groups of suites in the order in which they run: the tests that failed in the run before, then those that find most defects with
 * the fewest requests, so that a run that is cut short misses least. The tests of a group run concurrently, except isolated ones
 * (`TestScheduler`), so that tests which need a list that nobody changes are in another group than tests which create many items.
 * `failed-before` runs sequentially. What appears only after a while is tested in `items-other-forms`, whose other tests need no wait.
 */
export const GROUPS = [
  'failed-before',
  'operations',
  'lists',
  'items',
  'races',
  'items-other-forms',
  'lists-other-forms',
  'unusual',
  'values',
  'collections',
  'rerun',
  'snapshot',
] as const;

export type Group = (typeof GROUPS)[number];

/** The group of a file of tests; undefined for any other file. */
export function groupOf(moduleId: string): Group | undefined {
  return GROUPS.find((each) => moduleId.includes(`/suites/groups/${each}.suite.`));
}

function rank({ moduleId }: TestSpecification): number {
  const group = groupOf(moduleId);
  return group === undefined ? -1 : GROUPS.indexOf(group);
}

/** Runs the groups of suites in their order. */
export class GroupSequencer implements TestSequencer {
  sort(files: TestSpecification[]): TestSpecification[] {
    return files.toSorted((a, b) => rank(a) - rank(b));
  }

  /** Vitest's own sharding is not used: single tests are distributed, see `nextShard`. */
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}
