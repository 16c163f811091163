import type { TestSequencer, TestSpecification } from 'vitest/node';

/**
 * The groups of suites in the order in which they run: the tests that failed in the run before, then what finds most with the
 * fewest requests, so that a run that is cut short has lost the least. The tests of a group run side by side: what needs lists
 * that nobody else changes is apart from what creates many items. Those that failed before run one after another.
 */
export const GROUPS = [
  'failed-before',
  'operations',
  'lists',
  'items',
  'order',
  'races',
  'items-other-forms',
  'lists-other-forms',
  'unusual',
  'sequences',
  'values',
  'collections',
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
export class InOrder implements TestSequencer {
  sort(files: TestSpecification[]): TestSpecification[] {
    return files.toSorted((a, b) => rank(a) - rank(b));
  }

  /** Vitest's own shards are not used: tests are shared out one by one. */
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}
