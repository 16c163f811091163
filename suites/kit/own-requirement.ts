import type { Contract, Operation, Requirement } from '../../spec/index.ts';

/** The requirement of an operation's own row in the tables of endpoints (section 4): the first that speaks of the fewest others. */
export function ownRequirement(contract: Contract, operation: Operation): Requirement | undefined {
  const rows = contract.requirements.filter(
    (each) => each.section.startsWith('4') && each.operations?.includes(operation.id),
  );
  return rows.sort((a, b) => (a.operations?.length ?? 0) - (b.operations?.length ?? 0))[0];
}
