import { isObject } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../spec/index.ts';
import type { Draft } from './draft.ts';
import { declaredNames } from './types/members.ts';

const ODD: readonly Json[] = [null, 0, 'a', [], {}];

/**
 * Objects that fit several alternatives of a `oneOf` at once, made to fit fewer: a member that only another alternative
 * describes takes a value that the other forbids.
 */
export function toldApart(values: readonly Json[], drafts: readonly Draft[]): readonly Json[] {
  const names = new Set(drafts.flatMap(declaredNames));
  const objects: readonly JsonObject[] = [{}, ...values.filter((made) => isObject(made)).slice(0, 6)];
  return objects.flatMap((value) =>
    [...names].slice(0, 30).flatMap((name) => ODD.map((odd) => ({ ...value, [name]: odd }))),
  );
}
