import type { Contract, Operation, Requirement } from '../../spec/index.ts';

/** The requirement of an operation's own row in the tables of endpoints (section 4), where the description has one. */
export function ownRequirement(contract: Contract, operation: Operation): Requirement | undefined {
  return contract.requirements.find((each) => each.section.startsWith('4') && each.operations?.includes(operation.id));
}
