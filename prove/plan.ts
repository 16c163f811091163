/** What the plan needs to know of a fault. */
export interface PlannedFault {
  readonly area: 'contract' | 'properties' | 'state' | 'overlap' | 'published';
  readonly operations: readonly string[];
}

/** What a run is restricted to. */
export interface Stage {
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

const SUITES = {
  contract: 'contract',
  properties: 'properties',
  state: 'state',
  overlap: 'state',
  published: 'state',
} as const satisfies Record<PlannedFault['area'], string>;

const ALL_SUITES = [...new Set(Object.values(SUITES))];

/**
 * What to run for a fault, cheapest first; the next stage runs only where the one before did not catch it: the tests of the checks that
 * must catch it, the tests of its operations in the suites of its area, these suites whole, everything.
 */
export function stagesFor(fault: PlannedFault, checks: readonly string[]): readonly Stage[] {
  const suite = SUITES[fault.area];
  const byCheck = checks.length > 0 ? [{ only: checks, skip: [] }] : [];
  const byOperation =
    checks.length === 0 && fault.operations.length > 0 && suite !== 'state'
      ? [{ only: fault.operations, skip: ALL_SUITES.filter((other) => other !== suite) }]
      : [];
  return [...byCheck, ...byOperation, { only: [suite], skip: [] }, { only: [], skip: [] }];
}
