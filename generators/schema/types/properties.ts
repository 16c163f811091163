import type { SchemaRef } from '../../../spec/index.ts';
import type { Constraints, PropertyConstraints } from '../constraints.ts';

/** The schemas of a property; all of them apply. */
export function propertyRefs(constraints: Constraints, name: string): SchemaRef[] {
  return constraints.members.flatMap((members) => refsIn(members, name));
}

function refsIn({ properties, patterns, additional }: PropertyConstraints, name: string): SchemaRef[] {
  const own = properties.get(name);
  const matched = patterns.filter(([pattern]) => pattern.test(name)).map(([, ref]) => ref);
  const refs = own === undefined ? matched : [own, ...matched];
  return refs.length > 0 || additional === undefined ? refs : [additional];
}

/** True if the property must not be present. */
export function isForbidden(constraints: Constraints, name: string): boolean {
  return constraints.forbidden.has(name) || propertyRefs(constraints, name).some((ref) => ref.schema === false);
}

/** A read-only property is not part of requests, even if it is required. */
export function isReadOnly(constraints: Constraints, name: string): boolean {
  return propertyRefs(constraints, name).some(
    ({ schema }) => typeof schema === 'object' && schema['readOnly'] === true,
  );
}

export function declaredNames(constraints: Constraints): string[] {
  return [
    ...new Set([...constraints.members.flatMap((members) => [...members.properties.keys()]), ...constraints.required]),
  ];
}

/**
 * Whether to generate undeclared properties: only if the schema describes them, or declares no properties at all. Servers often
 * reject other ones even if the schema allows them.
 */
export function allowsOtherProperties(constraints: Constraints): boolean {
  const { members } = constraints;
  if (constraints.closed && members.every(({ additional }) => additional === undefined || additional.schema === false))
    return false;
  if (members.some(({ additional, patterns }) => additional?.schema === false && patterns.length === 0)) return false;
  if (
    members.some(
      ({ additional, patterns }) => patterns.length > 0 || (additional !== undefined && additional.schema !== false),
    )
  )
    return true;
  return members.every(({ properties }) => properties.size === 0);
}
