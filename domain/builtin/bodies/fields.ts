import type { Json, JsonObject } from '../../../spec/index.ts';
import type { Draw } from '../../../generators/core/draw.ts';
import { hash } from 'fast-check';
import { setProperty } from '../../../generators/core/set-property.ts';
import { INTERESTING_KEYS } from '../../../generators/values/keys.ts';
import { INTERESTING_SIZES } from '../../../generators/values/numbers.ts';
import { textGenerator } from '../../../generators/values/text.ts';

/** Generates the texts of one field, of at least `min` characters; the name decides where its boundary values begin. */
export function field(name: string, min = 0): (draw: Draw) => string {
  return textGenerator({ min, max: Infinity }, hash(name) % 997);
}

/** An object whose optional members are absent, and whose nullable ones are null, as often as the profile of the draw says. */
export function members(
  draw: Draw,
  required: JsonObject,
  optional: Readonly<Record<string, () => Json>>,
  nullable: readonly string[],
): JsonObject {
  const result: Record<string, Json> = { ...required };
  for (const [name, make] of Object.entries(optional)) {
    if (!draw.random.chance(draw.profile.optional)) continue;
    result[name] = nullable.includes(name) && draw.random.chance(draw.profile.nulls) ? null : make();
  }
  return result;
}

/** A size from 0 to `most`: mostly small, sometimes a boundary value. `salt` varies the boundary values between callers. */
export function size(draw: Draw, salt: string, most: number): number {
  const { random, profile } = draw;
  if (profile.optional === 0) return 0;
  if (!random.chance(profile.sizes)) return random.int(0, profile.few);
  const pool = [...INTERESTING_SIZES, 3000].filter((count) => count <= most);
  return draw.interesting(pool, hash(salt) % 97) ?? random.pick(pool);
}

/** A list in which each item draws the boundary value after that of the item before. */
export function list<T>(draw: Draw, length: number, make: (index: number) => T): T[] {
  const { offset } = draw;
  const items = Array.from({ length }, (_, index) => {
    draw.offset += 1;
    return make(index);
  });
  draw.offset = offset;
  return items;
}

const metadataValue = field('metadata');

export function textMap(draw: Draw, length: number): JsonObject {
  const result: Record<string, Json> = {};
  list(draw, length, (index) => {
    const odd = index < 20 ? draw.interesting(INTERESTING_KEYS, 5 + index) : undefined;
    setProperty<Json>(result, odd ?? `assay-${index}`, index < 20 ? metadataValue(draw) : 'a');
  });
  return result;
}
