import { isObject, patternExpression, pointerTo } from '../../spec/index.ts';
import type { Json, SchemaRef } from '../../spec/index.ts';
import type { KeywordContext } from './constraints.ts';

/** Prefix for pointers of schemas that are not in a document. */
export const VIRTUAL = 'virtual:';

/** The schema of a keyword; undefined if there is none. */
export function subschema(
  place: KeywordContext,
  tokens: readonly (string | number)[],
  schema: Json | undefined,
): SchemaRef | undefined {
  if (typeof schema !== 'boolean' && !isObject(schema)) return undefined;
  return { pointer: pointerTo(place.pointer, ...tokens), schema };
}

export function subschemaList(place: KeywordContext, keyword: string, value: Json): SchemaRef[] {
  if (!Array.isArray(value)) return [];
  return value
    .map((schema: Json, index) => subschema(place, [keyword, index], schema))
    .filter((ref) => ref !== undefined);
}

/** The schemas of a keyword with a map, by name. */
export function subschemaMap(place: KeywordContext, keyword: string, value: Json): [string, SchemaRef][] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, schema]) => {
    const ref = subschema(place, [keyword, name], schema);
    return ref === undefined ? [] : [[name, ref] as [string, SchemaRef]];
  });
}

/** The value of a keyword such as `minLength`. */
export function countIn(value: Json): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function textsIn(value: Json): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function regExp(pattern: string): RegExp | undefined {
  try {
    return patternExpression(pattern, false);
  } catch {
    return undefined;
  }
}
