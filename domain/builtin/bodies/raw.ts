import type { Json } from '../../../spec/index.ts';
import type { Draw } from '../../../generators/core/draw.ts';
import { setProperty } from '../../../generators/core/set-property.ts';
import { anyObject } from '../../../generators/schema/types/any-json.ts';
import type { BodyKind } from './domain-generator.ts';
import { field, list, size } from './fields.ts';

const value = field('raw value');

/** Raw records: table rows with few or many columns, nested documents, objects of any shape. */
export const rawKind: BodyKind = {
  make: (draw) => {
    const { random, profile } = draw;
    if (profile.optional === 0) return {};
    const style = random.int(0, 3);
    if (style === 0) return anyObject(draw, 4);
    if (style === 1) return nested(draw, random.pick([2, 5, 10, 30]));
    return row(draw);
  },
};

function row(draw: Draw): Json {
  const result: Record<string, Json> = { id: String(draw.random.int(1, 99_999)) };
  list(draw, size(draw, 'raw', 260), (index) =>
    setProperty<Json>(result, `column${index}`, index < 20 ? value(draw) : index),
  );
  return result;
}

function nested(draw: Draw, depth: number): Json {
  if (depth === 0) return value(draw);
  const inner = nested(draw, depth - 1);
  return draw.random.chance(0.3) ? { items: [inner] } : { inner };
}
