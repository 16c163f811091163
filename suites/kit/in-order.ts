import type { TestSequencer, TestSpecification } from 'vitest/node';

/** What runs first tells most and soonest; what valid requests show is told by the smallest of them, so that those that follow need not tell it. */
const ORDER = ['contract/operations', 'contract', 'state', 'properties/valid', 'properties'];

function rank({ moduleId }: TestSpecification): number {
  const at = ORDER.findIndex((each) => moduleId.includes(`/suites/${each}`));
  return at === -1 ? ORDER.length : at;
}

/** Runs the suites in the order of what they build on, and the same order every time. */
export class InOrder implements TestSequencer {
  sort(files: TestSpecification[]): TestSpecification[] {
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }

  /** Vitest's own shards are not used: tests are shared out one by one. */
  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}
