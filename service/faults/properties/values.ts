import type { Call } from '../../http/call.ts';
import { isFields } from '../../model/shape.ts';
import type { Fields } from '../../model/shape.ts';
import { fields } from '../parts.ts';

function within(value: unknown, ...path: readonly string[]): Fields {
  const found = path.reduce<unknown>((parent, name) => (isFields(parent) ? parent[name] : undefined), value);
  return isFields(found) ? found : {};
}

/** The entity data of a posted clue. */
export function entityOf(call: Call): Fields {
  return within(fields(call), 'clue', 'clueDetails', 'data', 'entityData');
}

/** The property bag of a posted clue, without its type. */
export function bagOf(call: Call): Fields {
  const { 'attribute-type': _, ...bag } = within(entityOf(call), 'properties');
  return bag;
}

/** Every string in a value, keys too. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isFields(value) ? Object.entries(value).flatMap(([key, member]) => [key, ...stringsIn(member)]) : [];
}

/** Code points beyond the basic plane, such as emoji. */
export const ASTRAL = /[\u{10000}-\u{10ffff}]/u;
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067]/;
export const CONTROL = /\p{Cc}/u;
