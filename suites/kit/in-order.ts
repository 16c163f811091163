import type { TestSequencer, TestSpecification } from 'vitest/node';

/**
 * The groups of suites in the order in which they run: what finds most with the fewest requests first, so that a run that is cut
 * short has lost the least. The tests of a group run side by side: what needs lists that nobody else changes is apart from what
 * creates many items.
 */
const ORDER = [
  'operations',
  'lists',
  'items',
  'requests',
  'order',
  'races',
  'unusual',
  'sequences',
  'values',
  'collections',
  'snapshot',
];

/** The group of a file of tests; empty for any other file. */
export function groupOf(moduleId: string): string {
  return ORDER.find((each) => moduleId.includes(`/suites/groups/${each}.suite.`)) ?? '';
}

function rank({ moduleId }: TestSpecification): number {
  return ORDER.indexOf(groupOf(moduleId));
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
