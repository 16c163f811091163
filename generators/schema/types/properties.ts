import type { SchemaRef } from '../../../spec/index.ts';
import type { Draft, Members } from '../draft.ts';

/** The schemas of a property; all of them apply. */
export function memberRefs(draft: Draft, name: string): SchemaRef[] {
  return draft.members.flatMap((members) => refsIn(members, name));
}

function refsIn({ properties, patterns, additional }: Members, name: string): SchemaRef[] {
  const own = properties.get(name);
  const matched = patterns.filter(([pattern]) => pattern.test(name)).map(([, ref]) => ref);
  const refs = own === undefined ? matched : [own, ...matched];
  return refs.length > 0 || additional === undefined ? refs : [additional];
}

/** True if the property must not be present. */
export function isForbidden(draft: Draft, name: string): boolean {
  return draft.forbidden.has(name) || memberRefs(draft, name).some((ref) => ref.schema === false);
}

export function declaredNames(draft: Draft): string[] {
  return [...new Set([...draft.members.flatMap((members) => [...members.properties.keys()]), ...draft.required])];
}

/**
 * Whether to generate undeclared properties: only if the schema describes them, or declares no properties at all. Servers often reject
 * them although the schema allows any.
 */
export function hasOtherMembers(draft: Draft): boolean {
  const { members } = draft;
  if (draft.closed && members.every(({ additional }) => additional === undefined || additional.schema === false))
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
