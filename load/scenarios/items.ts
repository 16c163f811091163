import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';

/** The items of a list: the bare array, or the one array of a wrapper. */
export function itemsOf(json: Json | undefined): readonly Json[] {
  if (Array.isArray(json)) return json;
  const arrays = isObject(json) ? Object.values(json).filter((value) => Array.isArray(value)) : [];
  return arrays.length === 1 ? (arrays[0] as readonly Json[]) : [];
}

/** How many items there are in all, where the wrapper tells it. */
export function totalOf(json: Json | undefined): number | undefined {
  const total = isObject(json) ? json['totalCount'] : undefined;
  return typeof total === 'number' ? total : undefined;
}
