import type { Contract, Json, Parameter } from '../../spec/index.ts';

/** The schema of a parameter; empty where it is a boolean. */
export function parameterSchema(contract: Contract, parameter: Parameter): Readonly<Record<string, Json>> {
  const { schema } = contract.resolve(parameter.schema);
  return typeof schema === 'object' ? schema : {};
}
